import { beforeEach, describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, type Fault, ownSandbox } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { openPayments } from '../../../integrations/stripe/payments.ts'
import { settleAttempt } from '../attempts/settle-attempt.ts'

// A separate sandbox, because planted faults must not hit other files.
const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { call, people, db, services, config, clock } = made
const { on, change, upgrade, replace, paid, standing, cards, noted, attempts, openInvoices, preview } =
  plansOf(made, sandbox)
// The first calls make the sandbox compile its schema, which may take longer than the timeout of these tests.
await change((await on('scale')).token, { plan: 'startup_yearly' })
services.integrations.payments = openPayments({ ...config.payments, guard: () => {}, timeoutMs: 1500 })

beforeEach(() => sandbox.clearFaults())

const plan = 'startup_yearly'
const planIn = async (account: string) => (await billingRows(db, account)).account?.plan

/** Runs the settle job. */
async function settle(account: string) {
  const last = (await attempts(account)).at(-1)
  await settleAttempt(services, { account_id: account, attempt_id: String(last?.id) })
}

const away: Fault[] = ['500', '409', '429', 'timeout', 'drop_after_commit', 'garbage']

describe('the provider is down: a clear refusal, then a retry pays once [F-05] [T-62]', () => {
  it.each(away)('changing the plan: %s', async kind => {
    const user = await on('scale')
    await sandbox.fault(`POST /v1/subscriptions/${user.subscription}`, kind, 4)
    const answer = await change(user.token, { plan })
    expect(answer).toMatchObject({ status: 503, body: { code: 'payment_provider_down' } })
    await sandbox.clearFaults()
    expect((await change(user.token, { plan })).data).toMatchObject({ plan })
    expect(await paid(user.account_id)).toHaveLength(2)
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'done' }])
    expect(await noted(user.account_id)).toHaveLength(2)
  })

  it.each([
    ['POST /v1/payment_methods', '500'],
    ['POST /v1/payment_methods', 'drop_after_commit'],
    ['POST /v1/setup_intents', 'drop_after_commit'],
    ['POST /v1/customers', 'drop_after_commit'],
    ['POST /v1/subscriptions/', 'garbage'],
  ] as const)('replacing the card: %s, %s', async (match, kind) => {
    const user = await on('scale')
    const token = await sandbox.card('5555555555554444')
    await sandbox.fault(match, kind, 4)
    expect(await replace(user.token, { token })).toMatchObject({ status: 503 })
    await sandbox.clearFaults()
    expect((await replace(user.token, { token })).data).toMatchObject({ last4: '4444' })
    expect(await cards(user.account_id)).toEqual(['4444'])
    expect(await noted(user.account_id)).toEqual(['plan.changed scale', 'card.changed'])
    expect(await attempts(user.account_id)).toHaveLength(1)
  })

  it('upgrading with a new card', async () => {
    const user = await on('scale')
    const body = { plan, token: await sandbox.card('5555555555554444') }
    await sandbox.fault(`POST /v1/subscriptions/${user.subscription}`, 'drop_after_commit', 4)
    expect(await upgrade(user.token, body)).toMatchObject({ status: 503 })
    await sandbox.clearFaults()
    expect((await upgrade(user.token, body)).data).toMatchObject({ plan })
    expect(await paid(user.account_id)).toHaveLength(2)
    expect(await cards(user.account_id)).toEqual(['4444'])
  })

  it('a preview', async () => {
    const user = await on('scale')
    await sandbox.fault('POST /v1/invoices/create_preview', '500', 4)
    expect(await preview(user.token, plan)).toBeUndefined()
    await sandbox.clearFaults()
    expect(await preview(user.token, plan)).toMatchObject({ when: 'now' })
  })
})

describe('slow calls do not add up: the reply comes within ten seconds [F-05]', () => {
  let now = 0
  let step = 0
  /** Each reading of the clock advances it, which simulates slow calls without waiting. */
  const slow = openPayments({ ...config.payments, guard: () => {}, now: () => (now += step) })
  const looksDuring = async (take: number, work: () => Promise<unknown>) => {
    const usual = services.integrations.payments
    services.integrations.payments = slow
    slow.clearPriceCache()
    step = take
    const before = now
    await work()
    step = 0
    services.integrations.payments = usual
    return (now - before) / take
  }

  const asks = {
    change: user => change(user.token, { plan }),
    upgrade: async user => upgrade(user.token, { plan, token: await sandbox.card('5555555555554444') }),
    card: async user => replace(user.token, { token: await sandbox.card('5555555555554444') }),
    preview: user => call('GET', `/api/account/plan/preview?plan=${plan}`, { token: user.token }),
  } satisfies Record<string, (user: Awaited<ReturnType<typeof on>>) => Promise<unknown>>

  it.each(Object.entries(asks))('%s', async (name, ask) => {
    const user = await on('scale')
    let answer: unknown
    const looks = await looksDuring(4000, async () => {
      answer = await ask(user)
    })
    expect(answer).toMatchObject({ status: 503, body: { code: 'payment_provider_down' } })
    // One for the end, one for each call that has time, then two that have none, or too little for a write: the second
    // is the second try.
    expect(looks).toBe(name === 'card' ? 4 : 5)
    expect(await ask(user)).toMatchObject({ status: 200 })
    expect(await paid(user.account_id)).toHaveLength(name === 'change' || name === 'upgrade' ? 2 : 1)
  })

  it('the first plan', async () => {
    const user = await people.verified()
    const body = { plan, token: await sandbox.card() }
    const ask = () => call('POST', '/api/account/plan', { token: user.token, body })
    await looksDuring(4000, async () => expect(await ask()).toMatchObject({ status: 503 }))
    expect((await ask()).data).toMatchObject({ plan })
    expect(await paid(user.account_id)).toHaveLength(1)
  })

  it('a provider that never replies gets the remaining time', async () => {
    const user = await on('scale')
    await sandbox.fault('GET /v1/subscriptions/', 'timeout', 9)
    const looks = await looksDuring(8950, async () =>
      expect(await change(user.token, { plan })).toMatchObject({ status: 503 }),
    )
    expect(looks).toBe(3)
  })
})

describe('the settle job finishes an interrupted change: all or nothing [F-01]', () => {
  it('all, when the provider had completed it', async () => {
    const user = await on('scale')
    await sandbox.fault(`POST /v1/subscriptions/${user.subscription}`, 'drop_after_commit', 4)
    expect((await change(user.token, { plan })).status).toBe(503)
    await sandbox.clearFaults()
    await settle(user.account_id)
    expect(await planIn(user.account_id)).toBe(plan)
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'done' }])
    expect(await paid(user.account_id)).toHaveLength(2)
  })

  it('nothing, when it had not; the job starts no charge', async () => {
    const user = await on('scale')
    await sandbox.fault(`POST /v1/subscriptions/${user.subscription}`, '500', 4)
    expect((await change(user.token, { plan })).status).toBe(503)
    await sandbox.clearFaults()
    await settle(user.account_id)
    expect(await planIn(user.account_id)).toBe('scale')
    expect(await attempts(user.account_id)).toMatchObject([
      { state: 'failed', failure: 'payment_provider_down' },
    ])
    expect(await paid(user.account_id)).toHaveLength(1)
  })

  it('an upgrade interrupted before its payment restores the old card', async () => {
    const user = await on('scale')
    const before = (await standing(user.account_id)).default_payment_method
    const token = await sandbox.card('5555555555554444')
    await sandbox.fault('GET /v1/prices', '500', 4)
    services.integrations.payments.clearPriceCache()
    await upgrade(user.token, { plan, token })
    await sandbox.clearFaults()
    await settle(user.account_id)
    expect((await standing(user.account_id)).default_payment_method).toBe(before)
    expect(await cards(user.account_id)).toEqual(['4242'])
  })

  it('a payment confirmed at the bank counts when the browser never comes back', async () => {
    const user = await on('scale', '4000002760003184')
    const due = await change(user.token, { plan })
    await sandbox.bank(String(due.data.client_secret), 'complete')
    await settle(user.account_id)
    expect(await planIn(user.account_id)).toBe(plan)
  })

  it('after 23 hours without confirmation the change is rolled back', async () => {
    const user = await on('scale', '4000002760003184')
    const due = await change(user.token, { plan })
    await settle(user.account_id)
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'action_required', busy_until: null }])
    clock.add(24 * 3_600_000)
    await settle(user.account_id)
    expect(await attempts(user.account_id)).toMatchObject([
      { state: 'failed', failure: 'payment_not_authorized' },
    ])
    expect(await openInvoices(user.account_id)).toEqual([])
    await expect(sandbox.bank(String(due.data.client_secret), 'complete')).rejects.toThrow()
  })

  it('a card that the bank approved replaces the old one', async () => {
    const user = await on('scale')
    const due = await replace(user.token, { token: await sandbox.card('4000002500003155') })
    await sandbox.bank(String(due.data.client_secret), 'complete')
    await settle(user.account_id)
    expect(await cards(user.account_id)).toEqual(['3155'])
    expect(await attempts(user.account_id)).toMatchObject([{ state: 'done' }])
  })
})
