import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, paymentsOf } from '../../../../test/payments.ts'
import type { AuthedContext, Tx } from '../../../context.ts'
import { invariant } from '../../../lib/invariant.ts'
import { acquireLease, findRefusal } from './acquire-lease.ts'
import type { PlanRequest } from './request.ts'

const { call, people, db, services, config } = await makeTestApp()
const payments = paymentsOf(config.payments.apiBase ?? '')

type Given = { isSame?: boolean; waited?: string | null }

/**
 * An account whose card was just declined, and a function that asks for the refusal of the same call at
 * other times.
 */
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
      findRefusal(
        { actor: user, request: { startedAt: at(startedAt) }, now: () => at(now) },
        tx,
        { for: waited },
        () => isSame,
      ),
    )
  return { refusalFor, attempt }
}

describe('a call that is handled after the bank declined the same request [T-62]', () => {
  it('gets the same refusal if it arrived before the decline, and retries if it arrived after', async () => {
    const { refusalFor } = await refused()
    expect(await refusalFor(-1, 1)).toBe('card_declined')
    expect(await refusalFor(-1, 0)).toBe('card_declined')
    expect(await refusalFor(0, 1)).toBeNull()
    expect(await refusalFor(1, 2)).toBeNull()
  })

  it('retries for another request', async () => {
    const { refusalFor } = await refused()
    expect(await refusalFor(-1, 1, { isSame: false })).toBeNull()
  })

  it('retries when the clock was set back since', async () => {
    const { refusalFor } = await refused()
    expect(await refusalFor(-60, -59)).toBeNull()
  })

  it('gets the same refusal after waiting for it, regardless of the clocks', async () => {
    const { refusalFor, attempt } = await refused()
    expect(await refusalFor(1, 2, { waited: attempt.id })).toBe('card_declined')
    expect(await refusalFor(-60, -59, { waited: attempt.id })).toBe('card_declined')
  })

  it('gets the same refusal after waiting for it, even if an older attempt has a later start time', async () => {
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

type Request = Exclude<PlanRequest, { kind: 'card' }>
const change = (user: Person, body: object) => call('PATCH', '/api/account/plan', { token: user.token, body })
const choose = (user: Person, body: object) => call('POST', '/api/account/plan', { token: user.token, body })
type Person = Awaited<ReturnType<typeof people.verified>>

const kinds = [
  {
    name: 'a first choice',
    kind: 'first' as const,
    begin: async () => {
      const user = await people.verified()
      return { user, ask: (body: object) => choose(user, body) }
    },
  },
  {
    name: 'a change',
    kind: 'change' as const,
    begin: async () => {
      const user = await people.verified()
      await choose(user, { plan: 'scale', token: await payments.card() })
      return { user, ask: (body: object) => change(user, body) }
    },
  },
] as const

describe.each(kinds)('$name that waits for another call with the same request [T-62]', ({ begin, kind }) => {
  /** The clock does not move, so only the wait itself can tell the calls apart. */
  async function waiting(request: (declined: Request) => Request, failure = 'card_declined') {
    const { user, ask } = await begin()
    const declined: Request = {
      kind,
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
    const lease = acquireLease(ctx, request(declined))
    await expect.poll(() => looks, { timeout: 20_000 }).toBeGreaterThan(0)
    await set('failed', failure, null)
    return lease
  }

  it('gets its refusal', async () => {
    expect(await waiting(declined => declined)).toEqual({ kind: 'refused', code: 'card_declined' })
  })

  it('retries when the other attempt was rolled back because the provider was down', async () => {
    expect(await waiting(declined => declined, 'payment_provider_down')).toMatchObject({ kind: 'run' })
  })

  it('retries when its own request differs', async () => {
    const token = await payments.card()
    expect(await waiting(declined => ({ ...declined, token }))).toMatchObject({ kind: 'run' })
  })
})
