import { endpoints } from 'virtual:endpoints'
import { vi } from 'vitest'

/** One call as it left the browser. */
export type Asked = { method: string; path: string; query: URLSearchParams; headers: Headers; body: unknown }
export type Told = {
  status?: number
  /** Stands in `data` of a success. */
  data?: unknown
  message?: string
  /** A failure's JSON, or any other whole body. */
  json?: unknown
  text?: string
  headers?: Record<string, string>
}
type Handler = Told | Error | ((asked: Asked) => Told | Error | Promise<Told | Error>)

/**
 * Stands in for the server behind `fetch`, and only in tests of the browser's own side. Handlers are named like the
 * calls of `api`: `answer('auth.signIn', { data })`, and a later one replaces an earlier.
 */
export function fakeServer() {
  const handlers = new Map<string, Handler>()
  const asked: Asked[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://localhost')
    const one: Asked = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
    }
    asked.push(one)
    const handler = handlers.get(nameOf(one))
    if (!handler) throw new TypeError(`No answer was prepared for ${one.method} ${one.path}`)
    const told = typeof handler === 'function' ? await handler(one) : handler
    if (told instanceof Error) throw told
    return responseOf(told)
  })
  return {
    /** Prepares the answer to a call. An Error is no answer at all. */
    answer(name: string, handler: Handler) {
      handlers.set(name, handler)
      return this
    },
    /** The calls of one name so far. */
    asked: (name: string) => asked.filter(one => nameOf(one) === name),
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
