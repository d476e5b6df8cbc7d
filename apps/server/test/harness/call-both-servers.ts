import type { makeTestApp } from '../harness.ts'

type Call = Awaited<ReturnType<typeof makeTestApp>>['call']
type SentCall = {
  /** POST, unless it is said. */
  method?: 'GET' | 'PUT'
  path: string
  body?: Record<string, unknown>
  headers?: Record<string, string>
}

/**
 * Sends a call in parallel to two servers on one database, alternating: the suite's app and a process at that address.
 * @param shown the call, or a function that makes each of them
 * @returns the number of replies by code; `in` for success
 */
export async function callBothServers(
  call: Call,
  other: string,
  times: number,
  shown: SentCall | ((n: number) => SentCall),
) {
  const answers = await Promise.all(
    Array.from({ length: times }, async (_, n) => {
      const { method = 'POST', path, body, headers } = typeof shown === 'function' ? shown(n) : shown
      if (n % 2) {
        const reply = await call(method, path, { body, headers })
        return answerCode(reply.status, String(reply.headers.location), reply.body)
      }
      const reply = await fetch(other + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
        redirect: 'manual',
      })
      const isJson = reply.headers.get('content-type')?.includes('json')
      const result = (isJson ? await reply.json() : {}) as { code?: string } // as: every answer of ours is an object
      return answerCode(reply.status, String(reply.headers.get('location')), result)
    }),
  )
  const counts: Record<string, number> = {}
  for (const code of answers) counts[code] = (counts[code] ?? 0) + 1
  return counts
}

/** Code of a JSON error, the error of a redirect, or the status. `in` for success. */
function answerCode(status: number, location: string, { code = String(status) }: { code?: string }): string {
  if (status === 303) return new URL(location).searchParams.get('error') ?? 'in'
  return status === 200 ? 'in' : code
}
