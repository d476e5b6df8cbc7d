import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  answerBank,
  customerWith,
  expanded,
  first,
  latestIntent,
  openShop,
  type Running,
  type Shop,
  startSandbox,
  typesOf,
} from './support/sandbox.ts'

const day = 86_400
const start = Date.UTC(2027, 0, 31, 10) / 1000

let sandbox: Running
let stripe: Stripe
let shop: Shop
beforeAll(async () => {
  sandbox = await startSandbox()
  stripe = sandbox.stripe
  shop = await openShop(stripe)
})
afterAll(() => sandbox.stop())

async function subscribed(number: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await customerWith(stripe, number, clock.id)
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.seat.id }],
    ...more,
  })
  const advance = (to: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })
  const read = (expand: string[] = []) => stripe.subscriptions.retrieve(subscription.id, { expand })
  return { clock, customer, subscription, advance, read }
}

const endOf = (subscription: Stripe.Subscription) => first(subscription.items).current_period_end

test('a renewal waits an hour as a draft, is paid, and the 31st comes back after February', async () => {
  const { subscription, advance, read } = await subscribed('4242424242424242')
  const end = endOf(subscription)
  expect(new Date(end * 1000).toISOString()).toBe('2027-02-28T10:00:00.000Z')
  await advance(end)
  const draft = await read(['latest_invoice'])
  expect(expanded<Stripe.Invoice>(draft.latest_invoice)).toMatchObject({
    status: 'draft',
    number: null,
    billing_reason: 'subscription_cycle',
  })
  expect(new Date(endOf(draft) * 1000).toISOString()).toBe('2027-03-31T10:00:00.000Z')
  await advance(end + 3_601)
  const paid = await read(['latest_invoice'])
  expect(paid.status).toBe('active')
  expect(expanded<Stripe.Invoice>(paid.latest_invoice)).toMatchObject({ status: 'paid', total: 1_200 })
})

test('a trial notices, ends, and charges; the trial itself is a paid invoice over nothing', async () => {
  const { subscription, advance, read } = await subscribed('4242424242424242', {
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
    expand: ['latest_invoice'],
  })
  expect(subscription).toMatchObject({
    status: 'trialing',
    trial_end: start + 14 * day,
    pending_setup_intent: null,
  })
  expect(expanded<Stripe.Invoice>(subscription.latest_invoice)).toMatchObject({ status: 'paid', total: 0 })
  await advance(start + 12 * day)
  expect(await typesOf(stripe, subscription.id)).toContain('customer.subscription.trial_will_end')
  await advance(start + 14 * day + 3_700)
  const active = await read(['latest_invoice'])
  expect(active.status).toBe('active')
  expect(expanded<Stripe.Invoice>(active.latest_invoice)).toMatchObject({ status: 'paid', total: 1_200 })
})

test('a trial without a card ends as it was told to', async () => {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const customer = await stripe.customers.create({ test_clock: clock.id })
  const make = (missing: 'cancel' | 'pause') =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: shop.seat.id }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: missing } },
    })
  const [cancels, pauses] = [await make('cancel'), await make('pause')]
  expect(cancels.pending_setup_intent).not.toBeNull()
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 8 * day })
  expect((await stripe.subscriptions.retrieve(cancels.id)).status).toBe('canceled')
  expect((await stripe.subscriptions.retrieve(pauses.id)).status).toBe('paused')
})

test('canceled at period end, it ends then; undone before, it renews', async () => {
  const leaving = await subscribed('4242424242424242')
  const asked = await stripe.subscriptions.update(leaving.subscription.id, { cancel_at_period_end: true })
  const end = endOf(asked)
  expect(asked).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
    cancel_at: end,
    canceled_at: start,
  })
  await leaving.advance(end)
  expect(await leaving.read()).toMatchObject({ status: 'canceled', ended_at: end })
  expect((await typesOf(stripe, leaving.subscription.id)).at(-1)).toBe('customer.subscription.deleted')
  await expect(
    stripe.subscriptions.update(leaving.subscription.id, { cancel_at_period_end: false }),
  ).rejects.toThrow(/canceled/)

  const staying = await subscribed('4242424242424242')
  await stripe.subscriptions.update(staying.subscription.id, { cancel_at_period_end: true })
  const undone = await stripe.subscriptions.update(staying.subscription.id, { cancel_at_period_end: false })
  expect(undone).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null })
  await staying.advance(end + 3_601)
  expect((await staying.read()).status).toBe('active')
})

test('a first payment that nobody makes expires after 23 hours', async () => {
  const { subscription, advance, read } = await subscribed('4000002760003184')
  await advance(start + 22 * 3_600)
  expect((await read()).status).toBe('incomplete')
  await advance(start + 23 * 3_600)
  const expired = await read(['latest_invoice'])
  expect(expired.status).toBe('incomplete_expired')
  expect(expanded<Stripe.Invoice>(expired.latest_invoice).status).toBe('void')
  expect((await latestIntent(stripe, subscription.id)).status).toBe('canceled')
})

test('a card set up once renews without its owner', async () => {
  const { subscription, advance, read } = await subscribed('4000002500003155')
  await answerBank(sandbox, await latestIntent(stripe, subscription.id), 'complete')
  await advance(endOf(subscription) + 3_601)
  const renewed = await read(['latest_invoice'])
  expect(renewed.status).toBe('active')
  expect(expanded<Stripe.Invoice>(renewed.latest_invoice).status).toBe('paid')
})

describe('a renewal that fails', () => {
  async function declining() {
    const made = await subscribed('4242424242424242')
    const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
      customer: made.customer.id,
    })
    await stripe.customers.update(made.customer.id, { invoice_settings: { default_payment_method: bad.id } })
    const failedAt = endOf(made.subscription) + 3_600
    await made.advance(failedAt)
    return { ...made, failedAt }
  }

  test('is past due, tried after 3, 5 and 7 days, and then canceled', async () => {
    const { subscription, advance, read, failedAt } = await declining()
    const due = await read(['latest_invoice'])
    expect(due.status).toBe('past_due')
    const invoice = expanded<Stripe.Invoice>(due.latest_invoice)
    expect(invoice).toMatchObject({
      status: 'open',
      attempt_count: 1,
      next_payment_attempt: failedAt + 3 * day,
    })
    await advance(failedAt + 8 * day)
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      attempt_count: 3,
      next_payment_attempt: failedAt + 15 * day,
    })
    await advance(failedAt + 15 * day)
    expect(await read()).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    })
    expect(
      (await typesOf(stripe, invoice.id)).filter(type => type === 'invoice.payment_failed'),
    ).toHaveLength(4)
    expect((await typesOf(stripe, subscription.id)).at(-1)).toBe('customer.subscription.deleted')
  })

  test('is healed by a new card on the open invoice', async () => {
    const { customer, read } = await declining()
    const due = await read(['latest_invoice'])
    const good = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: good.id } })
    const paid = await stripe.invoices.pay(expanded<Stripe.Invoice>(due.latest_invoice).id)
    expect(paid.status).toBe('paid')
    expect((await read()).status).toBe('active')
  })

  test('asks the owner when the card always asks', async () => {
    const { subscription, advance, read } = await subscribed('4000002760003184')
    await answerBank(sandbox, await latestIntent(stripe, subscription.id), 'complete')
    await advance(endOf(subscription) + 3_600)
    expect((await read()).status).toBe('past_due')
    const intent = await latestIntent(stripe, subscription.id)
    expect(intent.status).toBe('requires_action')
    await answerBank(sandbox, intent, 'complete')
    expect((await read()).status).toBe('active')
    const types = await typesOf(stripe, String((await read()).latest_invoice))
    expect(types).toContain('invoice.payment_action_required')
  })

  test('may leave the subscription unpaid, when that is the setting', async () => {
    await sandbox.post('/sandbox/settings', { dunning_final: 'unpaid' })
    const { advance, read, failedAt } = await declining()
    await advance(failedAt + 15 * day)
    expect((await read()).status).toBe('unpaid')
    await sandbox.post('/sandbox/settings', { dunning_final: 'cancel' })
  })
})

test('a paused subscription is resumed with a card, from that day on', async () => {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const customer = await stripe.customers.create({ test_clock: clock.id })
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.seat.id }],
    trial_period_days: 7,
    trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
  })
  const later = start + 20 * day
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: later })
  await expect(stripe.subscriptions.resume(id)).rejects.toMatchObject({ statusCode: 400 })
  const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  await stripe.subscriptions.update(id, { default_payment_method: bad.id })
  const waits = await stripe.subscriptions.resume(id, { payment_behavior: 'resume_on_payment_success' })
  expect(waits.status).toBe('paused')
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  await stripe.subscriptions.update(id, { default_payment_method: card.id })
  const resumed = await stripe.subscriptions.resume(id, { expand: ['latest_invoice'] })
  expect(resumed).toMatchObject({ status: 'active', billing_cycle_anchor: later })
  expect(expanded<Stripe.Invoice>(resumed.latest_invoice)).toMatchObject({ status: 'paid', total: 1_200 })
  expect(await typesOf(stripe, id)).toContain('customer.subscription.resumed')
  await expect(stripe.subscriptions.resume(id)).rejects.toThrow(/only resume paused/)
})

test('an invoice that nobody will pay is marked so, once', async () => {
  const { subscription } = await subscribed('4000002760003184')
  const open = String(subscription.latest_invoice)
  const marked = await stripe.invoices.markUncollectible(open)
  expect(marked).toMatchObject({ status: 'uncollectible', auto_advance: false })
  expect(marked.status_transitions.marked_uncollectible_at).toBe(start)
  await expect(stripe.invoices.markUncollectible(open)).rejects.toMatchObject({
    code: 'invoice_not_editable',
  })
  expect((await stripe.invoices.voidInvoice(open)).status).toBe('void')
})

test('a clock goes forward only, not too far, and takes its customers with it when it goes', async () => {
  const { clock, customer, advance } = await subscribed('4242424242424242')
  await expect(advance(start - 1)).rejects.toMatchObject({ param: 'frozen_time' })
  await expect(advance(start + 90 * day)).rejects.toMatchObject({ param: 'frozen_time' })
  await stripe.testHelpers.testClocks.del(clock.id)
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
})

test("the sandbox's own clock moves the demo, and only what follows it", async () => {
  const frozen = await subscribed('4242424242424242')
  const { customer } = await customerWith(stripe, '4242424242424242')
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.seat.id }],
  })
  const before = endOf(subscription)
  expect((await sandbox.post('/sandbox/clock', { days: 32 })).status).toBe(200)
  expect(endOf(await stripe.subscriptions.retrieve(subscription.id))).toBeGreaterThan(before)
  expect(endOf(await frozen.read())).toBe(endOf(frozen.subscription))
})
