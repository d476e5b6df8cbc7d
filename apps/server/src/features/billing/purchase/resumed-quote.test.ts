import { describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { ownSandbox } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { sync } from '../sync/sync.ts'

const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { services } = made
const { on, change, upgrade, replace, subscription, preview, paid, standing, attempts } = plansOf(
  made,
  sandbox,
)

const asksAlways = '4000002760003184'
const declines = '4000000000000341'

describe('an attempt that named a quote and goes on later', () => {
  it('a paid change is kept when the end that was planned before is taken back', async () => {
    const user = await on('scale', asksAlways)
    expect((await change(user.token, { plan: 'free' })).status).toBe(200)
    const { quote } = await preview(user.token, 'startup_yearly')
    const asked = await change(user.token, { plan: 'startup_yearly', quote })
    expect(asked.data).toMatchObject({ requires_payment_action: true, kind: 'payment' })
    const payment_intent = await sandbox.bank(asked.data.client_secret, 'complete')
    const answer = await change(user.token, { plan: 'startup_yearly', quote, payment_intent })
    expect(answer.data).toEqual({ plan: 'startup_yearly', subscription: 'active', pending_plan: null })
    expect((await paid(user.account_id))[0]).toBe(quote.amount)
    expect(await standing(user.account_id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false })
    expect((await attempts(user.account_id)).at(-1)).toMatchObject({ state: 'done' })
  })

  it('a new card is refused for a change while collection is paused, and the attempt ends', async () => {
    const user = await on('scale')
    const { quote } = await preview(user.token, 'startup_yearly')
    const { id } = await standing(user.account_id)
    await sandbox.api('POST', `/v1/subscriptions/${id}`, { 'pause_collection[behavior]': 'keep_as_draft' })
    const body = { plan: 'startup_yearly', token: await sandbox.card(), quote }
    expect(await upgrade(user.token, body)).toMatchObject({
      status: 409,
      body: { code: 'collection_paused' },
    })
    expect((await attempts(user.account_id)).at(-1)).toMatchObject({ state: 'failed' })
  })

  it('a new card pays the invoices of its quote, and none that opened while the bank was asked', async () => {
    const user = await on('scale')
    await sandbox.settings({ dunning_final: 'past_due' })
    await replace(user.token, { token: await sandbox.card(declines) })
    await sandbox.passDays(32)
    await sync(services, user.account_id, user.subscription)
    const before = await paid(user.account_id)
    const { card_quote: quote } = await subscription(user.token)
    expect(quote.amount).toBe(4900)
    const token = await sandbox.card(asksAlways)
    const asked = await replace(user.token, { token, quote })
    expect(asked.data).toMatchObject({ requires_payment_action: true, kind: 'setup' })
    await sandbox.passDays(31)
    const setup_intent = await sandbox.bank(asked.data.client_secret, 'complete')
    let answer = await replace(user.token, { token, quote, setup_intent })
    if (answer.data?.requires_payment_action) {
      const payment_intent = await sandbox.bank(answer.data.client_secret, 'complete')
      answer = await replace(user.token, { token, quote, payment_intent })
    }
    expect(answer.status).toBe(200)
    expect((await paid(user.account_id)).slice(0, -before.length)).toEqual([4900])
  })
})
