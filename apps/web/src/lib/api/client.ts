import { endpoints } from 'virtual:endpoints'
import type { CallInput, Contract, Endpoint, Page, Reply } from '@plinth/contract'
import { language } from '../i18n/language.ts'
import { session } from '../session/store.ts'
import { failureOf, NoAnswer } from './error.ts'

/**
 * A successful response: the data, a translated message for a toast if there is one, and the page info of a
 * list.
 */
export type Answer<T> = { data: T; message: string | undefined; page?: Page | undefined }

export type CallOptions = {
  /** The Idempotency-Key header: one per user action, reused when the same action is retried. */
  key?: string
  signal?: AbortSignal
  /** Replaces the session's token: for sign-out, where the local session is already deleted. */
  token?: string
  /** The browser completes the request even if the page is closed. */
  keepalive?: boolean
}

type Loose<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: T[K]
}
type Input<E extends Endpoint> = Loose<CallInput<E>>
type Arguments<E extends Endpoint> =
  Record<never, never> extends Input<E> ? [input?: Input<E> & CallOptions] : [input: Input<E> & CallOptions]

export type Call<E extends Endpoint> = {
  (...args: Arguments<E>): Promise<Answer<E extends { download: string } ? Blob : Reply<E>>>
  /** `feature.name`, used as the cache key. */
  readonly id: string
  readonly method: string
  readonly path: string
}

export type Api = { [F in keyof Contract]: { [N in keyof Contract[F]]: Call<EndpointOf<Contract[F][N]>> } }
type EndpointOf<T> = T extends Endpoint ? T : never

type Parts = CallOptions & { body?: unknown; query?: unknown; params?: unknown }

/**
 * All endpoints of the contract: `api.auth.signIn({ body })` resolves to `{ data, message }` or throws
 * ApiError or NoAnswer. Methods, paths and types come from the contract, so no URL is written here.
 */
export const api = Object.fromEntries(
  Object.entries(endpoints).map(([feature, calls]) => [
    feature,
    Object.fromEntries(
      Object.entries(calls).map(([name, [method, path]]) => [
        name,
        Object.assign((input: Parts = {}) => callEndpoint(method, path, input), {
          id: `${feature}.${name}`,
          method,
          path,
        }),
      ]),
    ),
  ]),
) as unknown as Api // as: fromEntries loses the types of the contract's tables

async function callEndpoint(method: string, path: string, input: Parts): Promise<Answer<unknown>> {
  const response = await sendRequest(method, addressOf(path, input), input)
  if (!response.ok) throw await failureOf(response)
  // Downloads return a Blob.
  if (response.headers.get('content-type')?.startsWith('text/csv'))
    return { data: await response.blob(), message: undefined }
  const text = await response.text()
  const answer = (text ? JSON.parse(text) : {}) as { data?: unknown; message?: string; page?: Page } // as: the contract's shape of every success
  return { data: answer.data, message: answer.message, page: answer.page }
}

async function sendRequest(method: string, address: string, input: Parts): Promise<Response> {
  const { body, contentType } = bodyOf(input.body)
  const headers = new Headers({ accept: 'application/json', 'accept-language': language.get() })
  const token = input.token ?? session.get()?.token
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (contentType) headers.set('content-type', contentType)
  if (input.key) headers.set('idempotency-key', input.key)
  try {
    return await fetch(address, {
      method,
      headers,
      body,
      signal: input.signal ?? null,
      keepalive: input.keepalive ?? false,
    })
  } catch (cause) {
    if (input.signal?.aborted) throw cause
    throw new NoAnswer(cause)
  }
}

function addressOf(path: string, { params, query }: Parts): string {
  const values = (params ?? {}) as Record<string, unknown> // as: a record by the contract's params schema
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(values[name])))
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return filled
  return `${filled}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

function bodyOf(body: unknown): { body: BodyInit | null; contentType?: string } {
  if (body === undefined) return { body: null }
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => isFiles(value))) {
    return { body: JSON.stringify(body), contentType: 'application/json' }
  }
  const form = new FormData()
  for (const [name, value] of fields) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (part === undefined || part === null) continue
      form.append(name, part instanceof File ? part : String(part))
    }
  }
  return { body: form } // the browser sets the content type with its multipart boundary
}

const isFiles = (value: unknown) =>
  value instanceof File || (Array.isArray(value) && value.some(part => part instanceof File))
