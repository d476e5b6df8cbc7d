import Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type RunningSandbox,
  startSandbox,
  startWebhookReceiver,
  type WebhookReceiver,
} from './support/sandbox.ts'

let sandbox: RunningSandbox
let sink: WebhookReceiver
let status = 200
beforeEach(async () => {
  status = 200
  sandbox = await startSandbox()
  sink = await startWebhookReceiver(() => status)
})
afterEach(async () => {
  await sandbox.stop()
  await sink.stop()
})

const listen = (events: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = ['*']) =>
  sandbox.stripe.webhookEndpoints.create({
    url: sink.url,
    enabled_events: events,
    api_version: Stripe.API_VERSION as Stripe.LatestApiVersion,
  }) // the SDK's own
const idle = () => fetch(`${sandbox.origin}/sandbox/webhooks/idle`)
const types = () => sink.received.map(({ body }) => JSON.parse(body).type)

test('subscribed events arrive signed, in order and in the format of the SDK', async () => {
  const { stripe } = sandbox
  const endpoint = await listen(['customer.created', 'customer.updated', 'customer.deleted'])
  const { id } = await stripe.customers.create({ name: 'Ada' })
  await stripe.customers.update(id, { name: 'Grace' })
  await stripe.products.create({ name: 'unwanted' })
  await stripe.customers.del(id)
  await idle()
  expect(types()).toEqual(['customer.created', 'customer.updated', 'customer.deleted'])
  const [, updated] = sink.received
  if (!updated) throw new Error('nothing came')
  const event = stripe.webhooks.constructEvent(updated.body, updated.signature, String(endpoint.secret))
  expect(event).toMatchObject({
    type: 'customer.updated',
    api_version: Stripe.API_VERSION,
    data: { previous_attributes: { name: 'Ada' } },
  })
  expect(event.request?.idempotency_key).toMatch(/^stripe-node-retry-/)
  const tampered = () =>
    stripe.webhooks.constructEvent(
      updated.body.replace('Grace', 'Grade'),
      updated.signature,
      String(endpoint.secret),
    )
  expect(tampered).toThrow(Stripe.errors.StripeSignatureVerificationError)
  expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined()
})

test('a delivery is retried until the endpoint accepts it', async () => {
  await listen()
  status = 500
  const { id } = await sandbox.stripe.customers.create({})
  // The first attempt must fail before the endpoint recovers.
  while (sink.received.length === 0) await fetch(`${sandbox.origin}/sandbox/webhooks`)
  status = 200
  await idle()
  expect(sink.received.length).toBeGreaterThan(1)
  expect(new Set(sink.received.map(({ body }) => JSON.parse(body).id)).size).toBe(1)
  const [event] = (await sandbox.stripe.events.list({ type: 'customer.created' })).data
  expect(event).toMatchObject({ pending_webhooks: 0, data: { object: { id } } })
})

test('webhook faults: duplicated, reordered, lost, and sent again on request', async () => {
  const { stripe } = sandbox
  await listen()
  await sandbox.post('/sandbox/webhooks', { duplicate: 1 })
  await stripe.customers.create({})
  await idle()
  expect(types()).toEqual(['customer.created', 'customer.created'])

  sink.received.length = 0
  await sandbox.post('/sandbox/webhooks', { duplicate: 0, reorder: true })
  const { id } = await stripe.customers.create({ payment_method: 'pm_card_visa' })
  await idle()
  expect(types()).toEqual(['customer.created', 'payment_method.attached'])

  sink.received.length = 0
  await sandbox.post('/sandbox/webhooks', { reorder: false, fail: 1 })
  await stripe.customers.update(id, { name: 'Ada' })
  await idle()
  expect(types()).toEqual(['customer.updated'])

  const [event] = (await stripe.events.list({ type: 'customer.updated' })).data
  await sandbox.post('/sandbox/webhooks', { resend: event?.id })
  await idle()
  expect(types()).toEqual(['customer.updated', 'customer.updated'])
})

test('a disabled or deleted endpoint receives no events', async () => {
  const { stripe } = sandbox
  const endpoint = await listen()
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true })
  await stripe.customers.create({})
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: false })
  await stripe.webhookEndpoints.del(endpoint.id)
  await stripe.customers.create({})
  await idle()
  expect(sink.received).toEqual([])
  expect((await stripe.webhookEndpoints.list()).data).toEqual([])
})
