import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import {
  complete3dSecure,
  createCustomerWithCard,
  eventTypes,
  expanded,
  first,
  latestIntent,
  sandboxWithPrices,
} from './support/sandbox.ts'

const day = 86_400
const start = Date.UTC(2027, 0, 31, 10) / 1000

const { sandbox, stripe, prices } = await sandboxWithPrices()

async function subscribed(number: string, more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const { customer } = await createCustomerWithCard(stripe, number, clock.id)
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: prices.seat.id }],
    ...more,
  })
  const advance = (to: number) => stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: to })
  const read = (expand: string[] = []) => stripe.subscriptions.retrieve(subscription.id, { expand })
  return { clock, customer, subscription, advance, read }
}

const endOf = (subscription: Stripe.Subscription) => first(subscription.items).current_period_end

test('a renewal is a draft for an hour, then paid; the 31st returns after February', async () => {
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

test('a trial sends a notice, ends and charges; its first invoice is zero and paid', async () => {
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
  expect(await eventTypes(stripe, subscription.id)).toContain('customer.subscription.trial_will_end')
  await advance(start + 14 * day + 3_700)
  const active = await read(['latest_invoice'])
  expect(active.status).toBe('active')
  expect(expanded<Stripe.Invoice>(active.latest_invoice)).toMatchObject({ status: 'paid', total: 1_200 })
})

test('a trial without a card ends as its settings say', async () => {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: start })
  const customer = await stripe.customers.create({ test_clock: clock.id })
  const make = (missing: 'cancel' | 'create_invoice') =>
    stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: prices.seat.id }],
      trial_period_days: 7,
      trial_settings: { end_behavior: { missing_payment_method: missing } },
    })
  const [cancels, bills] = [await make('cancel'), await make('create_invoice')]
  expect(cancels.pending_setup_intent).not.toBeNull()
  await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: start + 8 * day })
  expect((await stripe.subscriptions.retrieve(cancels.id)).status).toBe('canceled')
  expect((await stripe.subscriptions.retrieve(bills.id)).status).toBe('past_due')
})

test('cancel_at_period_end ends the subscription; when undone, it renews', async () => {
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
  expect((await eventTypes(stripe, leaving.subscription.id)).at(-1)).toBe('customer.subscription.deleted')
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

test('an unpaid first payment expires after 23 hours', async () => {
  const { subscription, advance, read } = await subscribed('4000002760003184')
  await advance(start + 22 * 3_600)
  expect((await read()).status).toBe('incomplete')
  await advance(start + 23 * 3_600)
  const expired = await read(['latest_invoice'])
  expect(expired.status).toBe('incomplete_expired')
  expect(expanded<Stripe.Invoice>(expired.latest_invoice).status).toBe('void')
  expect((await latestIntent(stripe, subscription.id)).status).toBe('canceled')
})

test('a card set up with 3D Secure renews without the customer', async () => {
  const { subscription, advance, read } = await subscribed('4000002500003155')
  await complete3dSecure(sandbox, await latestIntent(stripe, subscription.id), 'complete')
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

  test('is past due, retried after 3, 5 and 7 days, then canceled', async () => {
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
      (await eventTypes(stripe, invoice.id)).filter(type => type === 'invoice.payment_failed'),
    ).toHaveLength(4)
    expect((await eventTypes(stripe, subscription.id)).at(-1)).toBe('customer.subscription.deleted')
  })

  test('is paid by a new card on the open invoice', async () => {
    const { customer, read } = await declining()
    const due = await read(['latest_invoice'])
    const good = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: good.id } })
    const paid = await stripe.invoices.pay(expanded<Stripe.Invoice>(due.latest_invoice).id)
    expect(paid.status).toBe('paid')
    expect((await read()).status).toBe('active')
  })

  test('requires 3D Secure when the card always does', async () => {
    const { subscription, advance, read } = await subscribed('4000002760003184')
    await complete3dSecure(sandbox, await latestIntent(stripe, subscription.id), 'complete')
    await advance(endOf(subscription) + 3_600)
    expect((await read()).status).toBe('past_due')
    const intent = await latestIntent(stripe, subscription.id)
    expect(intent.status).toBe('requires_action')
    await complete3dSecure(sandbox, intent, 'complete')
    expect((await read()).status).toBe('active')
    const types = await eventTypes(stripe, String((await read()).latest_invoice))
    expect(types).toContain('invoice.payment_action_required')
  })

  test('leaves the subscription unpaid when so configured', async () => {
    await sandbox.post('/sandbox/settings', { dunning_final: 'unpaid' })
    const { advance, read, failedAt } = await declining()
    await advance(failedAt + 15 * day)
    expect((await read()).status).toBe('unpaid')
    await sandbox.post('/sandbox/settings', { dunning_final: 'cancel' })
  })
})

test('an invoice is marked as uncollectible once', async () => {
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

test('a test clock only advances, within a limit', async () => {
  const { advance } = await subscribed('4242424242424242')
  await expect(advance(start - 1)).rejects.toMatchObject({ param: 'frozen_time' })
  await expect(advance(start + 90 * day)).rejects.toMatchObject({ param: 'frozen_time' })
})

test("the sandbox's clock affects only objects without a test clock", async () => {
  const frozen = await subscribed('4242424242424242')
  const { customer } = await createCustomerWithCard(stripe, '4242424242424242')
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: prices.seat.id }],
  })
  const before = endOf(subscription)
  expect((await sandbox.post('/sandbox/clock', { days: 32 })).status).toBe(200)
  expect(endOf(await stripe.subscriptions.retrieve(subscription.id))).toBeGreaterThan(before)
  expect(endOf(await frozen.read())).toBe(endOf(frozen.subscription))
})
