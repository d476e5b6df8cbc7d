import type Stripe from 'stripe'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bodyOf,
  createCustomerWithCard,
  createPrices,
  type RunningSandbox,
  startSandbox,
  startWebhookReceiver,
  type WebhookReceiver,
} from './support/sandbox.ts'

let sandbox: RunningSandbox
let sink: WebhookReceiver
let stripe: Stripe
beforeEach(async () => {
  sandbox = await startSandbox()
  sink = await startWebhookReceiver()
  stripe = sandbox.stripe
})
afterEach(async () => {
  await sandbox.stop()
  await sink.stop()
})

const get = <T>(path: string) => bodyOf<T>(fetch(sandbox.origin + path))
const idle = () => get('/sandbox/webhooks/idle')
const clock = () => get<{ now: number; next_renewal: number | null }>('/sandbox/clock')

interface Shown {
  id: string
  type: string
  subject: { object: string; id: string }
  deliveries: { url: string; state: string; attempts: number; last_status: number | null }[]
}
const events = async () => (await get<{ data: Shown[] }>('/sandbox/events')).data

async function subscribed() {
  const { seat } = await createPrices(stripe)
  const { customer } = await createCustomerWithCard(stripe, '4242424242424242')
  return stripe.subscriptions.create({ customer: customer.id, items: [{ price: seat.id }] })
}

test('the page has no inline script, and all its files exist', async () => {
  const answer = await fetch(`${sandbox.origin}/sandbox/time`)
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'")
  const html = await answer.text()
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/)
  const files = [...html.matchAll(/(?:src|href)="(\/sandbox\/files\/[^"]+)"/g)].map(found => found[1] ?? '')
  expect(files).toContain('/sandbox/files/time.js')
  for (const file of files) expect((await fetch(sandbox.origin + file)).status).toBe(200)
  expect(await (await fetch(`${sandbox.origin}/sandbox`)).text()).toContain('href="/sandbox/time"')
})

test('the clock advances to the next renewal, which is paid, and by calendar months', async () => {
  expect((await clock()).next_renewal).toBeNull()
  expect((await sandbox.post('/sandbox/clock', { to: 'next_renewal' })).status).toBe(400)
  const { id } = await subscribed()
  const { next_renewal: next } = await clock()
  await sandbox.post('/sandbox/clock', { to: 'next_renewal' })
  const invoices = await stripe.invoices.list({ subscription: id })
  expect(invoices.data.map(one => [one.billing_reason, one.status])).toEqual([
    ['subscription_cycle', 'paid'],
    ['subscription_create', 'paid'],
  ])
  const after = await clock()
  expect(after.now).toBeGreaterThan(Number(next) + 3_600)
  expect(after.next_renewal).toBeGreaterThan(after.now)

  const { now: before } = await clock()
  const { now } = await bodyOf<{ now: number }>(sandbox.post('/sandbox/clock', { months: 1 }))
  const days = Math.floor((now - before) / 86_400)
  expect([28, 29, 30, 31]).toContain(days)
  expect((await sandbox.post('/sandbox/clock', { days: -1 })).status).toBe(400)
})

test('events list their object and deliveries; a lost event arrives only when sent again', async () => {
  await stripe.customers.create({ name: 'unheard' })
  expect((await events())[0]).toMatchObject({ type: 'customer.created', deliveries: [] })
  await stripe.webhookEndpoints.create({ url: sink.url, enabled_events: ['*'] })
  await sandbox.post('/sandbox/webhooks', { lose: 1 })
  const { id } = await stripe.customers.create({})
  await idle()
  expect(sink.received).toEqual([])
  const [lost] = await events()
  expect(lost).toMatchObject({
    type: 'customer.created',
    subject: { object: 'customer', id },
    deliveries: [{ url: sink.url, state: 'lost', attempts: 0, last_status: null }],
  })
  await stripe.customers.update(id, { name: 'heard' })
  await sandbox.post('/sandbox/webhooks', { resend: lost?.id })
  await idle()
  expect(sink.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    'customer.updated',
    'customer.created',
  ])
  expect((await events()).slice(0, 2).flatMap(one => one.deliveries)).toMatchObject([
    { state: 'done', attempts: 1, last_status: 200 },
    { state: 'done', attempts: 1, last_status: 200 },
  ])
})

test('clearing one kind of fault keeps the others', async () => {
  for (const kind of ['500', '429', 'garbage'])
    await sandbox.post('/sandbox/faults', { match: '* /v1', kind, times: 2 })
  await fetch(`${sandbox.origin}/sandbox/faults?kind=500`, { method: 'DELETE' })
  const planted = await get<{ data: { kind: string }[] }>('/sandbox/faults')
  expect(planted.data.map(one => one.kind)).toEqual(['429', 'garbage'])
  await expect(stripe.customers.list()).rejects.toMatchObject({ statusCode: 429 })
})
