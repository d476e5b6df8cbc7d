import { appUrl } from './urls.ts'

export type Reply<T> = { status: number; data: T; message?: string; inputError?: string; code?: string }

/** Calls the API of the product. */
export async function callApi<T = unknown>(
  method: string,
  path: string,
  options: {
    token?: string
    body?: unknown
    language?: string /** Client IP address, instead of this machine's. */
    from?: string
    /** Another server than the main one under test. */
    serverUrl?: string | undefined
  } = {},
): Promise<Reply<T>> {
  const response = await fetch((options.serverUrl ?? appUrl) + path, {
    method,
    headers: {
      ...(options.body !== undefined && { 'content-type': 'application/json' }),
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      'accept-language': options.language ?? 'en',
      ...(options.from && { 'x-forwarded-for': options.from }),
    },
    ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
  })
  const answer = (await response.json()) as Omit<Reply<T>, 'status'> // as: every answer of the product is an object
  return { ...answer, status: response.status }
}

export async function expectOk<T>(call: Promise<Reply<T>>): Promise<T> {
  const answer = await call
  if (answer.status >= 400) throw new Error(`${answer.status}: ${answer.message}`)
  return answer.data
}
