import { addressOf, password } from '../lib/data.ts'
import { type Call, callOnce, timeEach } from '../lib/load.ts'
import { median, sameDistribution } from '../lib/measure.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Stage } from '../lib/stage.ts'

const pairs = 200
const unknown = (n: number) => `nobody-${n}@bench.plinth.example`
const person = { first_name: 'Person', last_name: 'Else', password }

type Ask = (email: string, token: string | undefined) => Call
const post =
  (path: string, body: (email: string) => object): Ask =>
  email => ({ method: 'POST', path, body: body(email) })

/** Every call that takes an address from anybody, and the one that mails to it. */
const calls: Record<string, Ask> = {
  'sign-in': post('/api/auth', email => ({ email, password: 'not-this-one-1' })),
  'magic link': post('/api/auth/magic', email => ({ email })),
  reset: post('/api/auth/password/reset/request', email => ({ email })),
  'sign-up': post('/api/account', email => ({ ...person, email })),
  'invite sign-up': post('/api/user', email => ({ ...person, email, invite_id: 'made-up' })),
  'verification again': (_, token) => ({ method: 'POST', path: '/api/user/verify/request', token, body: {} }),
}

/**
 * Whether time tells an address that has a user from one that has none (security.md, T-10): 200 of each in turns, and
 * how likely one and the same distribution is to give what was measured. One run of a hundred shows less than 0.01 by
 * chance; run it again before you believe it.
 */
export async function enumeration(stage: Stage): Promise<Figure[]> {
  const { port } = await stage.ours()
  const sessions = { known: await session(port, addressOf(1)), unknown: await session(port, unknown(0)) }
  const figures: Figure[] = []
  for (const [name, ask] of Object.entries(calls)) {
    const both = Array.from({ length: pairs }, (_, n): Call[] => {
      const pair = [ask(addressOf(n + 1), sessions.known), ask(unknown(n), sessions.unknown)]
      return n % 2 ? pair.reverse() : pair
    })
    await timeEach(port, both.slice(0, 20).flat())
    const times = await timeEach(port, both.flat())
    const of = (known: boolean) => times.filter((_, at) => ((Math.floor(at / 2) + at) % 2 === 0) === known)
    const [ours, others] = [of(true), of(false)]
    figures.push(
      judge({
        row: 'enumeration',
        what: `${name}: known and unknown address, same time`,
        value: sameDistribution(ours, others),
        unit: '',
        better: 'more',
        budget: 0.01,
        aim: 0.05,
        details: {
          'known ms': median(ours),
          'unknown ms': median(others),
          ratio: median(ours) / median(others),
        },
      }),
    )
  }
  return figures
}

/** The session of somebody who has just signed up with this address. */
async function session(port: number, email: string): Promise<string | undefined> {
  const { body } = await callOnce(port, { method: 'POST', path: '/api/account', body: { ...person, email } })
  const answer: { data?: { token?: string } } = JSON.parse(body)
  return answer.data?.token
}
