import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bill, makeBuyer } from './support/buyer.ts'
import { cardOf, first, openShop, type Running, type Shop, startSandbox, typesOf } from './support/sandbox.ts'

let sandbox: Running
let stripe: Stripe
let shop: Shop
beforeAll(async () => {
  sandbox = await startSandbox()
  stripe = sandbox.stripe
  shop = await openShop(stripe)
  await sandbox.post('/sandbox/settings', { dunning_final: 'past_due' })
})
afterAll(() => sandbox.stop())

const days = (count: number) => count * 86_400

/** A subscription whose renewals fail. @param months how many of them; each leaves an open invoice */
async function owing(months = 1) {
  const buyer = await makeBuyer(stripe, shop)
  const subscription = await buyer.subscribe()
  const declines = await stripe.paymentMethods.attach((await cardOf(stripe, '4000000000000341')).id, {
    customer: buyer.customer.id,
  })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: declines.id })
  // A renewal waits an hour as a draft.
  for (let month = 1; month <= months; month++)
    await buyer.advance(subscription.start_date + days(31 * month + 1))
  const status = async () => (await stripe.subscriptions.retrieve(subscription.id)).status
  expect(await status()).toBe('past_due')
  const open = (await buyer.invoices()).filter(one => one.status === 'open')
  expect(open).toHaveLength(months)
  return { ...buyer, subscription, open, status }
}

describe('an invoice that support ends', () => {
  test.each([
    ['voided', (id: string) => stripe.invoices.voidInvoice(id), 'void'],
    ['written off', (id: string) => stripe.invoices.markUncollectible(id), 'uncollectible'],
    ['paid elsewhere', (id: string) => stripe.invoices.pay(id, { paid_out_of_band: true }), 'paid'],
    ['credited whole', (id: string) => stripe.creditNotes.create({ invoice: id, amount: 6000 }), 'paid'],
  ])('%s: its subscription goes on', async (_how, act, after) => {
    const { open, subscription, status } = await owing()
    await act(first({ data: open }).id)
    expect(await status()).toBe('active')
    expect((await stripe.invoices.retrieve(first({ data: open }).id)).status).toBe(after)
    expect(await typesOf(stripe, subscription.id)).toContain('customer.subscription.updated')
  })

  test('of two, the newest that is not void decides about the subscription', async () => {
    const { open, status } = await owing(2)
    const [newest, oldest] = open
    await stripe.invoices.voidInvoice(String(newest?.id))
    expect(await status()).toBe('past_due')
    await stripe.invoices.markUncollectible(String(oldest?.id))
    expect(await status()).toBe('active')
  })

  test('credited in part, only the rest is charged', async () => {
    const { open, customer, subscription, status } = await owing()
    const { id } = first({ data: open })
    await stripe.creditNotes.create({ invoice: id, amount: 1000 })
    const card = await cardOf(stripe, '4242424242424242')
    await stripe.paymentMethods.attach(card.id, { customer: customer.id })
    await stripe.subscriptions.update(subscription.id, { default_payment_method: card.id })
    const paid = await stripe.invoices.pay(id)
    expect(paid).toMatchObject({ status: 'paid', amount_paid: 5000, pre_payment_credit_notes_amount: 1000 })
    expect(await status()).toBe('active')
  })
})

describe('money that goes back', () => {
  const paidBy = async (number = '4242424242424242') => {
    const buyer = await makeBuyer(stripe, shop)
    const card = await stripe.paymentMethods.attach((await cardOf(stripe, number)).id, {
      customer: buyer.customer.id,
    })
    const invoice = bill(await buyer.subscribe({ default_payment_method: card.id }))
    const charge = first(await stripe.charges.list({ customer: buyer.customer.id }))
    return { ...buyer, invoice, charge, payment: String(charge.payment_intent) }
  }

  test('a refund shows at its charge, in part and whole', async () => {
    const { charge, payment } = await paidBy()
    await stripe.refunds.create({ payment_intent: payment, amount: 1000 })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1000, refunded: false })
    await stripe.refunds.create({ payment_intent: payment })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 6000, refunded: true })
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
    expect(await typesOf(stripe, charge.id)).toContain('charge.refunded')
  })

  test('a credit note of a paid invoice refunds, or is credit for the next one', async () => {
    const { invoice, charge, customer } = await paidBy()
    await expect(stripe.creditNotes.create({ invoice: invoice.id, amount: 1000 })).rejects.toThrow(
      'must equal',
    )
    await stripe.creditNotes.create({ invoice: invoice.id, amount: 1000, refund_amount: 1000 })
    await stripe.creditNotes.create({ invoice: invoice.id, amount: 500, credit_amount: 500 })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1000 })
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -500 })
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      status: 'paid',
      post_payment_credit_notes_amount: 1500,
    })
  })

  test.each([
    ['winning_evidence', 'won'],
    ['losing_evidence', 'lost'],
  ])('a disputed payment can not be refunded; %s ends the dispute as %s', async (evidence, status) => {
    const { charge, payment } = await paidBy('4000000000000259')
    const dispute = first(await stripe.disputes.list({ payment_intent: payment }))
    expect([charge.disputed, dispute.status]).toEqual([true, 'needs_response'])
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      code: 'charge_disputed',
    })
    const ended = await stripe.disputes.update(dispute.id, { evidence: { uncategorized_text: evidence } })
    expect(ended.status).toBe(status)
    expect(await typesOf(stripe, dispute.id)).toEqual(
      expect.arrayContaining(['charge.dispute.created', 'charge.dispute.closed']),
    )
  })
})

describe('a subscription whose collection is paused', () => {
  test.each([
    ['void', 'void'],
    ['mark_uncollectible', 'uncollectible'],
    ['keep_as_draft', 'draft'],
  ] as const)('%s: a renewal is not charged, and the subscription stays active', async (behavior, status) => {
    const { subscribe, advance, invoices } = await makeBuyer(stripe, shop)
    const subscription = await subscribe()
    const { pause_collection } = await stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior },
    })
    expect(pause_collection).toEqual({ behavior, resumes_at: null })
    await advance(subscription.start_date + days(32))
    expect((await invoices()).map(one => one.status)).toEqual([status, 'paid'])
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  })

  test('is charged again from the day that it resumes at, or when support resumes it', async () => {
    const { subscribe, advance, invoices } = await makeBuyer(stripe, shop)
    const subscription = await subscribe()
    const resumes_at = subscription.start_date + days(40)
    await stripe.subscriptions.update(subscription.id, { pause_collection: { behavior: 'void', resumes_at } })
    await advance(subscription.start_date + days(32))
    await advance(subscription.start_date + days(63))
    expect((await invoices()).map(one => one.status)).toEqual(['paid', 'void', 'paid'])
    expect((await stripe.subscriptions.retrieve(subscription.id)).pause_collection).toBeNull()
    await stripe.subscriptions.update(subscription.id, { pause_collection: { behavior: 'void' } })
    const resumed = await stripe.subscriptions.update(subscription.id, { pause_collection: '' })
    expect(resumed.pause_collection).toBeNull()
  })
})
