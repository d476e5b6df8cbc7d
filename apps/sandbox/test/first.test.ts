import { afterAll, beforeAll, expect, test } from 'vitest'
import { cardOf, customerWith, openShop, type Running, type Shop, startSandbox } from './sandbox.ts'

let sandbox: Running
let shop: Shop
beforeAll(async () => {
  sandbox = await startSandbox()
  shop = await openShop(sandbox.stripe)
})
afterAll(() => sandbox.stop())

test('a card that succeeds makes an active subscription with a paid invoice', async () => {
  const { stripe } = sandbox
  const { customer } = await customerWith(stripe, '4242424242424242')
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.seat.id, quantity: 2 }],
    payment_behavior: 'allow_incomplete',
    off_session: false,
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { account_id: 'a1' },
    expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments', 'pending_setup_intent'],
  })
  expect(subscription.status).toBe('active')
  console.error(JSON.stringify(subscription.latest_invoice, null, 1).slice(0, 300))
})

test('3ds', async () => {
  const { stripe } = sandbox
  const { customer } = await customerWith(stripe, '4000002500003155')
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: shop.seat.id, quantity: 2 }],
    expand: ['latest_invoice.confirmation_secret', 'latest_invoice.payments', 'pending_setup_intent'],
  })
  expect(subscription.status).toBe('incomplete')
  const invoice = subscription.latest_invoice
  if (!invoice || typeof invoice === 'string') throw new Error('no')
  const secret = invoice.confirmation_secret?.client_secret ?? ''
  const id = secret.split('_secret')[0] ?? ''
  const pi = await stripe.paymentIntents.retrieve(id)
  expect(pi.status).toBe('requires_action')
  const r = await sandbox.post(`/sandbox/3ds/${id}`, { client_secret: secret, outcome: 'complete' })
  expect(await r.json()).toMatchObject({ status: 'succeeded' })
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')
  const up = await stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id, quantity: 5 }],
    proration_behavior: 'create_prorations',
  })
  expect(up.items.data[0]?.quantity).toBe(5)
  await stripe.subscriptions.update(subscription.id, {
    items: [{ id: subscription.items.data[0]?.id, price: shop.yearly.id }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  const prev = await stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: subscription.items.data[0]?.id, quantity: 7 }],
      proration_behavior: 'always_invoice',
    },
  })
  expect(prev.total).toBe(24000)
  await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
  await stripe.subscriptions.cancel(subscription.id)
  await stripe.customers.del(customer.id)
})

test('setup', async () => {
  const { stripe } = sandbox
  const customer = await stripe.customers.create({})
  const pm = await cardOf(stripe, '4000002500003155')
  const si = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: pm.id,
    usage: 'off_session',
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  })
  expect(si.status).toBe('requires_action')
  await sandbox.post(`/sandbox/3ds/${si.id}`, { client_secret: si.client_secret, outcome: 'complete' })
  const sub = await stripe.subscriptions.create({
    customer: customer.id,
    default_payment_method: pm.id,
    items: [{ price: shop.seat.id }],
    trial_period_days: 14,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  })
  expect(sub.status).toBe('trialing')
  expect(sub.pending_setup_intent).toBe(null)
})

test('declines', async () => {
  const { stripe } = sandbox
  const customer = await stripe.customers.create({})
  const pm = await cardOf(stripe, '4000000000000002')
  await expect(stripe.paymentMethods.attach(pm.id, { customer: customer.id })).rejects.toMatchObject({
    type: 'StripeCardError',
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
  const c = await customerWith(stripe, '4000000000000341')
  const sub = await stripe.subscriptions.create({ customer: c.customer.id, items: [{ price: shop.seat.id }] })
  expect(sub.status).toBe('incomplete')
  await expect(stripe.invoices.pay(String(sub.latest_invoice))).rejects.toMatchObject({
    type: 'StripeCardError',
  })
})
