import { endpoints } from 'virtual:endpoints'
import { vi } from 'vitest'

/** A request sent by the app. */
export type Asked = { method: string; path: string; query: URLSearchParams; headers: Headers; body: unknown }
export type Told = {
  status?: number
  /** Sent as `data` of a success. */
  data?: unknown
  message?: string
  /** The whole JSON body, for example of a failure. */
  json?: unknown
  text?: string
  headers?: Record<string, string>
}
type Handler = Told | Error | ((asked: Asked) => Told | Error | Promise<Told | Error>)

/**
 * Replaces `fetch` in tests of browser code. Handlers have the names of the `api` calls:
 * `answer('auth.signIn', { data })`. A later handler replaces an earlier one.
 */
export function fakeServer() {
  const handlers = new Map<string, Handler>()
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost')
    const request: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
    }
    asked.push(request)
    const handler = handlers.get(nameOf(request))
    if (!handler) throw new TypeError(`No answer was prepared for ${request.method} ${request.path}`)
    const prepared = typeof handler === 'function' ? await handler(request) : handler
    if (prepared instanceof Error) throw prepared
    return responseOf(prepared)
  })
  return {
    /** Sets the answer of a call. An Error means that no response arrives. */
    answer(name: string, handler: Handler) {
      handlers.set(name, handler)
      return this
    },
    /** The requests to one call. */
    asked: (name: string) => asked.filter(request => nameOf(request) === name),
    all: asked,
  }
}
export type FakeServer = ReturnType<typeof fakeServer>

const names = new Map(
  Object.entries(endpoints).flatMap(([feature, calls]) =>
    Object.entries(calls).map(
      ([name, [method, path]]) => [`${method} ${path}`, `${feature}.${name}`] as const,
    ),
  ),
)
const nameOf = ({ method, path }: Asked) => names.get(`${method} ${path}`) ?? `${method} ${path}`

function responseOf({ status = 200, data, message, json, text, headers }: Told): Response {
  if (text !== undefined)
    return new Response(text, { status, headers: { 'content-type': 'text/plain', ...headers } })
  return new Response(JSON.stringify(json ?? { data, message }), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
