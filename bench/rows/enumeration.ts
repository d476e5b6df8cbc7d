import { fillKnown, type Kind, kinds, knownAddress, password } from '../lib/data.ts'
import { type Call, callOnce } from '../lib/load.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Stage } from '../lib/stage.ts'
import { type Apart, pairs, tellApart } from '../lib/tell-apart.ts'

const person = { first_name: 'Person', last_name: 'Else', password }

type Ask = (email: string) => Call
const post =
  (path: string, body: (email: string) => object): Ask =>
  email => ({ method: 'POST', path, body: body(email) })

/** Every call without a session that takes an address. */
const calls: Record<string, Ask> = {
  'sign-in': post('/api/auth', email => ({ email, password: 'not-this-one-1' })),
  'magic link': post('/api/auth/magic', email => ({ email })),
  reset: post('/api/auth/password/reset/request', email => ({ email })),
  'sign-up': post('/api/account', email => ({ ...person, email })),
  'invite sign-up': post('/api/user', email => ({ ...person, email, invite_id: 'made-up' })),
}

/**
 * Whether the response time differs between registered and unknown addresses: 200 calls of each, alternating, for each
 * kind of user. The figure is the probability of the measured difference if both had the same distribution. One run in a
 * hundred is below 0.01 by chance; repeat it before you rely on it.
 */
export async function enumeration(stage: Stage): Promise<Figure[]> {
  const { port, databaseUrl } = await stage.ours()
  await fillKnown(databaseUrl, pairs * Object.keys(calls).length)
  const figures: Figure[] = []
  for (const [at, [name, ask]] of Object.entries(calls).entries()) {
    const measured: Partial<Record<Kind, Apart>> = {}
    // Each call has its own addresses: a sign-up registers an address, and tries are counted.
    for (const kind of kinds)
      measured[kind] = await tellApart(port, n => ({
        one: ask(knownAddress(kind, pairs * at + n + 1)),
        other: ask(`nobody-${kind}-${pairs * at + n + 1}@bench.plinth.example`),
      }))
    figures.push(figure(name, measured))
  }
  // The call that mails to an address needs a session: of users whose unverified address another user verified, or none did.
  const again = (token: string | undefined): Call => ({
    method: 'POST',
    path: '/api/user/verify/request',
    token,
    body: {},
  })
  const known = again(await session(port, knownAddress('proven', 1)))
  const unknown = again(await session(port, 'nobody@bench.plinth.example'))
  figures.push(
    figure('verification again', { proven: await tellApart(port, () => ({ one: known, other: unknown })) }),
  )
  return figures
}

/** Of several chances the smallest, times how many there were: so seldom is one of them that small. */
function figure(name: string, measured: Partial<Record<Kind, Apart>>): Figure {
  const all = Object.entries(measured)
  return judge({
    row: 'enumeration',
    what: `${name}: known and unknown address, same time`,
    value: Math.min(1, all.length * Math.min(...all.map(([, { same }]) => same))),
    unit: '',
    better: 'more',
    budget: 0.01,
    aim: 0.05,
    details: Object.fromEntries(
      all.flatMap(([kind, { one, other, same }]) => [
        [`${kind} ms`, one],
        [`unknown beside ${kind} ms`, other],
        [`${kind} same`, same],
      ]),
    ),
  })
}

/** Signs up with this address. @returns the session's token */
async function session(port: number, email: string): Promise<string | undefined> {
  const { body } = await callOnce(port, { method: 'POST', path: '/api/account', body: { ...person, email } })
  const answer: { data?: { token?: string } } = JSON.parse(body)
  return answer.data?.token
}
