import type { makeTestApp } from './harness.ts'

type Call = Awaited<ReturnType<typeof makeTestApp>>['call']
type Shown = { path: string; body: Record<string, unknown>; headers?: Record<string, string> }

/**
 * The same call of two servers on one database at the same moment, half of the times each: the suite's own app, and a
 * process at that address.
 * @returns how often each code of an answer came; `in` for those that were let in
 */
export async function onBoth(call: Call, other: string, times: number, { path, body, headers }: Shown) {
  const answers = await Promise.all(
    Array.from({ length: times }, async (_, n) => {
      if (n % 2) return call('POST', path, { body, headers })
      const reply = await fetch(other + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: reply.status, body: await reply.json() }
    }),
  )
  const counts: Record<string, number> = {}
  for (const { status, body: told } of answers) {
    const name = status === 200 ? 'in' : told.code
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
