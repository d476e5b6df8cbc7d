import { describe, expect, test } from 'vitest'
import { createBuyer, latestInvoice } from './support/buyer.ts'
import { createCard, eventTypes, first, sandboxWithPrices } from './support/sandbox.ts'

const { sandbox, stripe, prices } = await sandboxWithPrices()
await sandbox.post('/sandbox/settings', { dunning_final: 'past_due' })

const days = (count: number) => count * 86_400

/** A subscription with failed renewals. @param months number of failed renewals, each with an open invoice */
async function owing(months = 1) {
  const buyer = await createBuyer(stripe, prices)
  const subscription = await buyer.subscribe()
  const declines = await stripe.paymentMethods.attach((await createCard(stripe, '4000000000000341')).id, {
    customer: buyer.customer.id,
  })
  await stripe.subscriptions.update(subscription.id, { default_payment_method: declines.id })
  // A renewal is a draft for an hour.
  for (let month = 1; month <= months; month++)
    await buyer.advance(subscription.start_date + days(31 * month + 1))
  const status = async () => (await stripe.subscriptions.retrieve(subscription.id)).status
  expect(await status()).toBe('past_due')
  const open = (await buyer.invoices()).filter(one => one.status === 'open')
  expect(open).toHaveLength(months)
  return { ...buyer, subscription, open, status }
}

describe('an invoice ended by support', () => {
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
    expect(await eventTypes(stripe, subscription.id)).toContain('customer.subscription.updated')
  })

  test('the newest of two invoices that is not void decides the subscription’s status', async () => {
    const { open, status } = await owing(2)
    const [newest, oldest] = open
    await stripe.invoices.voidInvoice(String(newest?.id))
    expect(await status()).toBe('past_due')
    await stripe.invoices.markUncollectible(String(oldest?.id))
    expect(await status()).toBe('active')
  })

  test('after a partial credit only the rest is charged', async () => {
    const { open, customer, subscription, status } = await owing()
    const { id } = first({ data: open })
    await stripe.creditNotes.create({ invoice: id, amount: 1000 })
    const card = await createCard(stripe, '4242424242424242')
    await stripe.paymentMethods.attach(card.id, { customer: customer.id })
    await stripe.subscriptions.update(subscription.id, { default_payment_method: card.id })
    const paid = await stripe.invoices.pay(id)
    expect(paid).toMatchObject({ status: 'paid', amount_paid: 5000, pre_payment_credit_notes_amount: 1000 })
    expect(await status()).toBe('active')
  })
})

describe('refunds', () => {
  const paidBy = async (number = '4242424242424242') => {
    const buyer = await createBuyer(stripe, prices)
    const card = await stripe.paymentMethods.attach((await createCard(stripe, number)).id, {
      customer: buyer.customer.id,
    })
    const invoice = latestInvoice(await buyer.subscribe({ default_payment_method: card.id }))
    const charge = first(await stripe.charges.list({ customer: buyer.customer.id }))
    return { ...buyer, invoice, charge, payment: String(charge.payment_intent) }
  }

  test('a partial and a full refund are recorded at the charge', async () => {
    const { charge, payment } = await paidBy()
    await stripe.refunds.create({ payment_intent: payment, amount: 1000 })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 1000, refunded: false })
    await stripe.refunds.create({ payment_intent: payment })
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ amount_refunded: 6000, refunded: true })
    await expect(stripe.refunds.create({ payment_intent: payment })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
    expect(await eventTypes(stripe, charge.id)).toContain('charge.refunded')
  })

  test('a credit note of a paid invoice refunds or credits the balance', async () => {
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
    expect(await eventTypes(stripe, dispute.id)).toEqual(
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
    const { subscribe, advance, invoices } = await createBuyer(stripe, prices)
    const subscription = await subscribe()
    const { pause_collection } = await stripe.subscriptions.update(subscription.id, {
      pause_collection: { behavior },
    })
    expect(pause_collection).toEqual({ behavior, resumes_at: null })
    await advance(subscription.start_date + days(32))
    expect((await invoices()).map(one => one.status)).toEqual([status, 'paid'])
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  })

  test('is charged again from its resume date or when support resumes it', async () => {
    const { subscribe, advance, invoices } = await createBuyer(stripe, prices)
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

describe('the hosted page of an open invoice', () => {
  const pay = (id: string, number: string) =>
    fetch(`${sandbox.origin}/sandbox/invoices/${id}/pay`, {
      method: 'POST',
      body: new URLSearchParams({ number }),
      redirect: 'manual',
    })

  test('offers test cards, says why one is declined, and pays with another', async () => {
    const { open, status } = await owing()
    const { id, hosted_invoice_url } = first({ data: open })
    const page = await fetch(String(hosted_invoice_url), { redirect: 'manual' })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('$60.00')
    const declined = await pay(id, '4000000000000341')
    expect([declined.status, await declined.text()]).toEqual([200, expect.stringContaining('declined')])
    expect(await status()).toBe('past_due')
    const paid = await pay(id, '4242424242424242')
    expect([paid.status, paid.headers.get('location')]).toEqual([303, `/sandbox/invoices/${id}/pdf`])
    expect([await status(), (await stripe.invoices.retrieve(id)).status]).toEqual(['active', 'paid'])
    expect((await pay(id, '4242424242424242')).headers.get('location')).toBe(`/sandbox/invoices/${id}/pdf`)
  })

  test('leads to 3D Secure with a card that needs it', async () => {
    const { open } = await owing()
    const asked = await pay(first({ data: open }).id, '4000002760003184')
    expect([asked.status, asked.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/sandbox/3ds/pi_'),
    ])
  })
})
