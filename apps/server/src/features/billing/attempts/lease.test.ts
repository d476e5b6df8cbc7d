import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, paymentsOf } from '../../../../test/payments.ts'
import type { AuthedContext, Tx } from '../../../context.ts'
import { invariant } from '../../../lib/invariant.ts'
import { takeChange } from './change-lease.ts'
import { acquireLease, refusedMeanwhile } from './lease.ts'

const { call, people, db, services, config } = await makeTestApp()
const payments = paymentsOf(config.payments.apiBase ?? '')

type Given = { isSame?: boolean; waited?: string | null }

/** Somebody whose bank has just said no, and how the same call is answered that came and is looked at when it is told. */
async function refused() {
  const user = await people.verified()
  const token = await payments.card('4000000000000341')
  const answer = await call('POST', '/api/account/plan', {
    token: user.token,
    body: { plan: 'scale', token },
  })
  expect(answer.body).toMatchObject({ code: 'card_declined' })
  const [attempt] = (await billingRows(db, user.account_id)).attempts
  if (!attempt) throw new Error('A choice makes an attempt')
  const ended = Number(attempt.updated_at)
  const at = (seconds: number) => new Date(ended + seconds * 1000)
  const refusalFor = (startedAt: number, now: number, { isSame = true, waited = null }: Given = {}) =>
    services.withinAccount(user.account_id, tx =>
      refusedMeanwhile(
        { actor: user, request: { startedAt: at(startedAt) }, now: () => at(now) },
        tx,
        { for: waited },
        () => isSame,
      ),
    )
  return { refusalFor, attempt }
}

describe('a click that is looked at when the bank has said no [T-62]', () => {
  it('hears the same if it came before, and asks anew if it came after', async () => {
    const { refusalFor } = await refused()
    expect(await refusalFor(-1, 1)).toBe('card_declined')
    expect(await refusalFor(-1, 0)).toBe('card_declined')
    expect(await refusalFor(0, 1)).toBeNull()
    expect(await refusalFor(1, 2)).toBeNull()
  })

  it('for another wish asks anew', async () => {
    const { refusalFor } = await refused()
    expect(await refusalFor(-1, 1, { isSame: false })).toBeNull()
  })

  it('with a clock set back since, asks anew: it came after, whatever the clock says', async () => {
    const { refusalFor } = await refused()
    expect(await refusalFor(-60, -59)).toBeNull()
  })

  it('that waited for it hears the same, by whatever clock its end was written', async () => {
    const { refusalFor, attempt } = await refused()
    expect(await refusalFor(1, 2, { waited: attempt.id })).toBe('card_declined')
    expect(await refusalFor(-60, -59, { waited: attempt.id })).toBe('card_declined')
  })

  it('that waited for it hears the same, also when one before it was begun later, by the clock of its server', async () => {
    const { refusalFor, attempt } = await refused()
    await db.asOwnerOfJobs(
      `insert into billing_attempts
       select (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'failure', null, 'created_at', a.created_at + interval '1 minute'))).*
       from billing_attempts a where id = $1`,
      [attempt.id],
    )
    expect(await refusalFor(1, 2, { waited: attempt.id })).toBe('card_declined')
  })
})

type Wish = { plan: 'scale' | 'startup_yearly'; token: string; code: null; quote: null; confirmed: false }
const change = (user: Person, body: object) => call('PATCH', '/api/account/plan', { token: user.token, body })
const choose = (user: Person, body: object) => call('POST', '/api/account/plan', { token: user.token, body })
type Person = Awaited<ReturnType<typeof people.verified>>

const kinds = [
  {
    name: 'a first choice',
    take: acquireLease,
    begin: async () => {
      const user = await people.verified()
      return { user, ask: (body: object) => choose(user, body) }
    },
  },
  {
    name: 'a change',
    take: takeChange,
    begin: async () => {
      const user = await people.verified()
      await choose(user, { plan: 'scale', token: await payments.card() })
      return { user, ask: (body: object) => change(user, body) }
    },
  },
] as const

describe.each(kinds)('$name that waits for another call at work on its wish [T-62]', ({ begin, take }) => {
  /** The clock stands: that it waited is all there is to tell by. */
  async function waiting(wish: (declined: Wish) => Wish, failure = 'card_declined') {
    const { user, ask } = await begin()
    const declined: Wish = {
      plan: 'startup_yearly',
      token: await payments.card('4000000000000341'),
      code: null,
      quote: null,
      confirmed: false,
    }
    expect((await ask({ plan: declined.plan, token: declined.token })).body).toMatchObject({
      code: 'card_declined',
    })
    const [attempt] = (await billingRows(db, user.account_id)).attempts.filter(one => one.state === 'failed')
    const ended = Number(invariant(attempt, 'an attempt').updated_at)
    const set = (state: string, failure: string | null, busy: Date | null) =>
      db.asOwnerOfJobs(
        'update billing_attempts set state = $2, failure = $3, busy_until = $4 where id = $1',
        [invariant(attempt, 'an attempt').id, state, failure, busy],
      )
    await set('started', null, new Date(ended + 60_000))
    let looks = 0
    const ctx = {
      ...services,
      actor: { account_id: user.account_id, user_id: user.id },
      request: { startedAt: new Date(ended), network: '127.0.0.1' },
      now: () => new Date(ended),
      async within(run: (tx: Tx) => Promise<unknown>) {
        const seen = await services.withinAccount(user.account_id, run)
        looks++
        return seen
      },
    } as unknown as AuthedContext // as: what these two use of it
    const turn = take(ctx, wish(declined))
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(0)
    await set('failed', failure, null)
    return turn
  }

  it('hears its refusal', async () => {
    expect(await waiting(declined => declined)).toEqual({ kind: 'refused', code: 'card_declined' })
  })

  it('asks anew where what was cut off was taken back: nobody has said no', async () => {
    expect(await waiting(declined => declined, 'payment_provider_down')).toMatchObject({ kind: 'drive' })
  })

  it('asks anew where its own wish is another', async () => {
    const token = await payments.card()
    expect(await waiting(declined => ({ ...declined, token }))).toMatchObject({ kind: 'drive' })
  })
})
