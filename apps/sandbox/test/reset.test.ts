import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { createTransport } from 'nodemailer'
import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  bodyOf,
  createCustomerWithCard,
  createPrices,
  type RunningSandbox,
  startSandbox,
  startWebhookReceiver,
} from './support/sandbox.ts'

let sandbox: RunningSandbox
let stripe: Stripe
beforeEach(async () => {
  sandbox = await startSandbox()
  stripe = sandbox.stripe
})
afterEach(() => sandbox.stop())

const get = <T>(path: string) =>
  bodyOf<T>(fetch(sandbox.origin + path, { headers: { authorization: 'Bearer sk_test_sandbox' } }))
const reset = (keep = {}) => sandbox.post('/sandbox/reset', keep)
const listen = (url: string) => stripe.webhookEndpoints.create({ url, enabled_events: ['*'] })
const plant = (kind: string) => sandbox.post('/sandbox/faults', { match: 'POST /v1/customers', kind })
const mails = async () => (await get<{ data: unknown[] }>('/sandbox/inbox')).data

/** All readable state. The log is read first, because the other calls add to it. */
async function known() {
  const read: Record<string, unknown> = { log: await get('/sandbox/log') }
  for (const kind of [
    ...['customers', 'prices', 'promotion_codes', 'payment_intents', 'subscriptions?status=all'],
    ...['invoices', 'events', 'webhook_endpoints', 'billing/meters'],
  ])
    read[kind] = await get(`/v1/${kind}`)
  for (const path of ['faults', 'webhooks', 'events', 'inbox']) read[path] = await get(`/sandbox/${path}`)
  const { offset, next_renewal } = await get<Record<string, unknown>>('/sandbox/clock')
  const dns = await get('/identity/dns?name=left.example')
  return { ...read, offset, next_renewal, dns }
}

const send = () =>
  createTransport({ host: '127.0.0.1', port: sandbox.smtpPort, secure: false }).sendMail({
    from: 'hello@plinth.test',
    to: 'ada@example.com',
    text: 'Hello',
  })

test('a reset restores the state after the start', async () => {
  const fresh = await known()
  const { seat } = await createPrices(stripe)
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: 2_000_000_000 })
  const { customer } = await createCustomerWithCard(stripe, '4242424242424242')
  await stripe.subscriptions.create({ customer: customer.id, items: [{ price: seat.id }] })
  await stripe.customers.create({ test_clock: clock.id }, { idempotencyKey: 'once' })
  const coupon = await stripe.coupons.create({ percent_off: 20 })
  await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } })
  await stripe.billing.meters.create({
    display_name: 'calls',
    event_name: 'calls',
    default_aggregation: { formula: 'sum' },
  })
  await send()
  await sandbox.post('/sandbox/clock', { days: 40 })
  await sandbox.post('/sandbox/webhooks', { duplicate: 1, reorder: true, delay_ms: 9, fail: 1, lose: 1 })
  await listen('http://127.0.0.1:9/hook')
  await stripe.customers.create({})
  await sandbox.post('/identity/dns', { name: 'left.example', txt: 'behind' })
  await plant('garbage')
  const used = await known()
  for (const [name, was] of Object.entries(fresh)) expect(used, name).not.toHaveProperty([name], was)

  await reset()
  expect(await known()).toEqual(fresh)
  await send()
  expect(await mails()).toHaveLength(1)
  const { id } = await stripe.customers.create({}, { idempotencyKey: 'once' })
  expect((await stripe.customers.list()).data.map(one => one.id)).toEqual([id])
})

describe('a reset during', () => {
  test('a delayed call: the call does nothing', async () => {
    await plant('slow')
    const late = stripe.customers.create({ name: 'late' }).catch((error: unknown) => error)
    while ((await get<{ data: unknown[] }>('/sandbox/log')).data.length === 0);
    await reset()
    expect(await late).toMatchObject({ statusCode: 503 })
    expect((await stripe.customers.list()).data).toEqual([])
    expect((await stripe.events.list()).data).toEqual([])
  })

  test('a queued or retried delivery: the delivery is not sent', async () => {
    let status = 500
    const sink = await startWebhookReceiver(() => status)
    const kept = { keep_webhook_endpoints: true }
    await listen(sink.url)
    await sandbox.post('/sandbox/webhooks', { delay_ms: 400 })
    await stripe.customers.create({ name: 'waits' })
    await reset(kept)
    await stripe.customers.create({ name: 'refused' })
    while (sink.received.length === 0) await get('/sandbox/webhooks')
    await reset(kept)
    status = 200
    // The other deliveries would have arrived before this one.
    await sandbox.post('/sandbox/webhooks', { delay_ms: 600 })
    await stripe.customers.create({ name: 'new' })
    await get('/sandbox/webhooks/idle')
    expect(sink.received.map(({ body }) => JSON.parse(body).data.object.name)).toEqual(['refused', 'new'])
    await sink.stop()
  })

  test('a delivery without a reply: the delivery is aborted', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    const { promise: cut, resolve: cutOff } = Promise.withResolvers<void>()
    const silent = createServer((_, response) => {
      response.once('close', cutOff)
      ask()
    }).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address ? address.port : 0
    await listen(`http://127.0.0.1:${port}/hook`)
    await stripe.customers.create({})
    await asked
    const idle = get('/sandbox/webhooks/idle')
    await reset()
    await Promise.all([cut, idle])
    expect(await get('/sandbox/webhooks')).toMatchObject({ data: [] })
    silent.close()
  })

  test('an incomplete mail: it is not stored, and waits end without a mail', async () => {
    const waiting = get('/sandbox/inbox/wait?to=ada@example.com&after=0&timeout=60000')
    const socket = connect(sandbox.smtpPort, '127.0.0.1').setEncoding('utf8')
    const says = async (text: string) => {
      socket.write(`${text}\r\n`)
      return String((await once(socket, 'data'))[0])
    }
    await once(socket, 'data')
    await says('HELO ada')
    await says('MAIL FROM:<ada@example.com>')
    await says('RCPT TO:<ada@example.com>')
    expect(await says('DATA')).toMatch(/^354/)
    socket.write('Subject: half\r\n\r\n')
    await reset()
    expect(await waiting).toEqual({ data: [] })
    expect(await says('the other half\r\n.')).toMatch(/^250/)
    expect(await mails()).toEqual([])
    socket.destroy()
  })
})
