import { createHmac, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/harness/temporary-folder.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, ownSandbox } from '../../../../test/payments.ts'
import { ensureWebhookEndpoint, webhookPath, webhookSecrets } from './webhook-endpoint.ts'

const sandbox = await ownSandbox()
const DATA_DIR = temporaryFolder()
const { app, call, people, db, services } = await makeTestApp({ ...sandbox.env, DATA_DIR })
const unset = await deliver('{}', sign('{}', 'whsec_anything'))
const base = await app.listen({ port: 0, host: '127.0.0.1' })
await ensureWebhookEndpoint(services, base)
const [secret = ''] = await webhookSecrets(services)

function sign(body: string, key: string, at = Date.now()) {
  const seconds = Math.floor(at / 1000)
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
}

async function deliver(body: string, signature: string | null) {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(signature !== null && { 'stripe-signature': signature }),
  }
  const reply = await app.inject({ method: 'POST', url: webhookPath, headers, payload: body })
  return { status: reply.statusCode, text: reply.body }
}

type About = Record<string, unknown>
const message = (type: string, object: About, more: About = {}) =>
  JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    type,
    created: 1_800_000_000,
    livemode: false,
    api_version: '2026-10-28.endive',
    data: { object },
    ...more,
  })

async function noticeRows() {
  const { rows } = await db.asOwnerOfJobs('select * from payment_webhooks order by id')
  return rows as { id: string; handled_at: Date | null }[] // as: the table's own columns
}

/** Waits until every webhook is handled. */
async function quiet() {
  await sandbox.webhooksIdle()
  await expect
    .poll(async () => (await noticeRows()).filter(row => row.handled_at === null).length, { timeout: 20_000 })
    .toBe(0)
}

const choose = (token: string, body: Record<string, unknown>) =>
  call('POST', '/api/account/plan', { token, body })
async function subscriber(plan = 'startup_yearly', number?: string) {
  const user = await people.verified()
  const answer = await choose(user.token, { plan, token: await sandbox.card(number) })
  const { subscription } = await billingRows(db, user.account_id)
  return { ...user, answer, subscription: String(subscription?.provider_sub_id) }
}

describe('a webhook without a valid signature is refused and not stored [T-60] [call:POST /api/stripe/webhook]', () => {
  const body = message('customer.subscription.updated', {
    object: 'subscription',
    id: 'sub_1',
    customer: 'cus_1',
  })
  const live = message(
    'customer.subscription.updated',
    { object: 'subscription', id: 'sub_1', customer: 'cus_1' },
    { livemode: true },
  )
  it.each([
    ['another secret', body, sign(body, 'whsec_another')],
    ['no secret', body, sign(body, '')],
    ['six minutes old', body, sign(body, secret, Date.now() - 360_000)],
    ['one space more', `${body} `, sign(body, secret)],
    ['one byte changed', body.replace('sub_1', 'sub_2'), sign(body, secret)],
    ['parsed and written again', JSON.stringify(JSON.parse(body), null, 1), sign(body, secret)],
    ['no signature', body, null],
    ['an empty signature', body, ''],
    ['half a signature', body, sign(body, secret).slice(0, 30)],
    ['an older scheme', body, sign(body, secret).replace('v1=', 'v0=')],
    ['an empty body', '', sign('', secret)],
    ['not JSON', 'hello', sign('hello', secret)],
    ['real money in the sandbox', live, sign(live, secret)],
  ])('%s', async (_what, sent, signature) => {
    const before = await noticeRows()
    const answer = await deliver(sent, signature)
    expect(answer.status).toBe(400)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'signature_wrong' })
    expect(await noticeRows()).toEqual(before)
  })

  it('asks the provider to retry while there is no secret', () => {
    expect(unset.status).toBe(503)
  })

  it('refuses larger bodies and other methods', async () => {
    expect((await deliver('x'.repeat(600 * 1024), 'x')).status).toBe(413)
    expect((await app.inject({ method: 'GET', url: webhookPath })).statusCode).toBe(404)
  })
})

describe('a signed webhook is accepted [T-60] [F-06] [call:POST /api/stripe/webhook]', () => {
  it('unknown types too; one valid signature of two is enough', async () => {
    const body = message('a.type.nobody.knows', { object: 'thing', id: 'thing_1' })
    const old = sign(body, 'whsec_old')
    const both = `${old},${sign(body, secret).split(',')[1]}`
    expect((await deliver(body, both)).status).toBe(200)
  })

  it('twenty duplicates at once: one row, handled once', async () => {
    const user = await subscriber()
    await quiet()
    const customer = (await billingRows(db, user.account_id)).account?.stripe_customer_id
    const body = message('customer.subscription.updated', {
      object: 'subscription',
      id: user.subscription,
      customer,
    })
    const before = await noticeRows()
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(body, sign(body, secret))))
    expect(answers.map(answer => answer.status)).toEqual(Array(20).fill(200))
    expect(await noticeRows()).toHaveLength(before.length + 1)
    await quiet()
  })

  it('an unknown customer changes nothing [T-63]', async () => {
    const mine = await subscriber()
    const theirs = await subscriber('scale')
    await quiet()
    const before = await billingRows(db, mine.account_id)
    const customer = before.account?.stripe_customer_id
    const body = message('customer.subscription.updated', {
      object: 'subscription',
      id: theirs.subscription,
      customer,
    })
    expect((await deliver(body, sign(body, secret))).status).toBe(200)
    await quiet()
    expect((await billingRows(db, mine.account_id)).subscription).toEqual(before.subscription)
  })
})

describe('a webhook triggers a read [F-06]', () => {
  it('a payment confirmed at the bank counts before the browser is back', async () => {
    const user = await people.verified()
    const token = await sandbox.card('4000002760003184')
    const due = await choose(user.token, { plan: 'scale', token })
    const intent = await sandbox.bank(due.data.client_secret, 'complete')
    await expect
      .poll(async () => (await billingRows(db, user.account_id)).account?.plan, { timeout: 20_000 })
      .toBe('scale')
    const answer = await choose(user.token, { plan: 'scale', token, payment_intent: intent })
    expect(answer.data).toMatchObject({ plan: 'scale', subscription: 'active' })
    const rows = await billingRows(db, user.account_id)
    expect([rows.attempts.length, rows.audit.length]).toEqual([1, 1])
  })

  it('an ended subscription is canceled here, and a new plan can be chosen', async () => {
    const user = await subscriber()
    await sandbox.api('DELETE', `/v1/subscriptions/${user.subscription}`)
    await quiet()
    const session = await call('GET', '/api/auth', { token: user.token })
    expect(session.data).toMatchObject({ plan: 'startup_yearly', subscription: 'canceled' })
    const again = await choose(user.token, { plan: 'scale', token: await sandbox.card() })
    expect(again.data).toMatchObject({ plan: 'scale', subscription: 'active' })
  })

  it('a planned end leads to the free plan', async () => {
    const user = await subscriber()
    // Handle the webhooks of the purchase first: they would overwrite the planned end.
    await quiet()
    await db.asOwnerOfJobs("update subscriptions set pending_plan = 'free' where account_id = $1", [
      user.account_id,
    ])
    await sandbox.api('DELETE', `/v1/subscriptions/${user.subscription}`)
    await quiet()
    const session = await call('GET', '/api/auth', { token: user.token })
    expect(session.data).toMatchObject({ plan: 'free', subscription: 'active' })
  })

  it('a planned cancellation is read in both of its forms', async () => {
    const user = await subscriber()
    await sandbox.api('POST', `/v1/subscriptions/${user.subscription}`, { cancel_at_period_end: 'true' })
    await quiet()
    const read = () => call('GET', '/api/account/subscription', { token: user.token })
    expect((await read()).data).toMatchObject({ status: 'active', cancel_at_period_end: true })
    await sandbox.api('POST', `/v1/subscriptions/${user.subscription}`, { cancel_at_period_end: 'false' })
    await sandbox.api('POST', `/v1/subscriptions/${user.subscription}`, {
      cancel_at: String(Math.floor(Date.now() / 1000) + 864_000),
    })
    await quiet()
    expect((await read()).data).toMatchObject({ status: 'active', cancel_at_period_end: true })
  })

  it('a subscription completed after the rollback is ended', async () => {
    const user = await people.verified()
    const due = await choose(user.token, { plan: 'scale', token: await sandbox.card('4000002760003184') })
    await sandbox.bank(due.data.client_secret, 'fail')
    expect((await choose(user.token, { plan: 'free' })).status).toBe(200)
    const { account, attempts } = await billingRows(db, user.account_id)
    expect(attempts).toMatchObject([{ state: 'failed' }])
    const customer = String(account?.stripe_customer_id)
    const prices = await sandbox.list('/v1/prices', { 'lookup_keys[0]': 'plinth_scale_base' })
    const visa = await sandbox.api('POST', '/v1/payment_methods/pm_card_visa/attach', { customer })
    const late = await sandbox.api('POST', '/v1/subscriptions', {
      customer,
      default_payment_method: String(visa.id),
      'items[0][price]': String(prices[0]?.id),
      'metadata[attempt_id]': String(attempts[0]?.id),
    })
    expect(late.status).toBe('active')
    await quiet()
    expect((await sandbox.ledger(customer)).standing).toEqual([])
    expect((await billingRows(db, user.account_id)).account?.plan).toBe('free')
  })

  it.each([1, 2, 3])('webhooks in random order with duplicates have the same result (%i)', async seed => {
    const user = await subscriber()
    await sandbox.api('POST', `/v1/subscriptions/${user.subscription}`, { cancel_at_period_end: 'true' })
    await sandbox.api('POST', `/v1/subscriptions/${user.subscription}`, { cancel_at_period_end: 'false' })
    await sandbox.api('DELETE', `/v1/subscriptions/${user.subscription}`)
    await quiet()
    const customer = (await billingRows(db, user.account_id)).account?.stripe_customer_id
    const events = (await sandbox.list('/v1/events', {})).filter(event =>
      JSON.stringify(event).includes(String(customer)),
    )
    expect(events.length).toBeGreaterThan(6)
    for (const event of shuffled([...events, ...events.slice(0, 5)], seed)) {
      const body = JSON.stringify({ ...(event as object), id: `evt_${randomUUID()}` })
      expect((await deliver(body, sign(body, secret))).status).toBe(200)
    }
    await quiet()
    const { subscription, audit } = await billingRows(db, user.account_id)
    expect(subscription).toMatchObject({ status: 'canceled', provider_sub_id: user.subscription })
    expect(audit).toHaveLength(1)
  })
})

describe('the webhook endpoint', () => {
  it('is kept at a restart, and created again when the sandbox has lost it', async () => {
    await ensureWebhookEndpoint(services, base)
    expect(await webhookSecrets(services)).toEqual([secret])
    const [endpoint] = await services.integrations.payments.listEndpoints()
    await services.integrations.payments.removeEndpoint(endpoint?.id ?? '')
    await ensureWebhookEndpoint(services, base)
    const [renewed] = await webhookSecrets(services)
    expect(renewed).not.toBe(secret)
    expect(await services.integrations.payments.listEndpoints()).toHaveLength(1)
  })
})

// Last, because it moves the sandbox's clock by three weeks.
describe('time passes', () => {
  it('a trial with a declined card asks for another one, and then ends', async () => {
    const user = await subscriber('startup', '4000000000000341')
    expect(user.answer.data).toMatchObject({ subscription: 'trialing' })
    const read = async () => (await call('GET', '/api/auth', { token: user.token })).data
    await sandbox.passDays(15)
    await quiet()
    expect(await read()).toMatchObject({ plan: 'startup', subscription: 'requires_payment_method' })
    await sandbox.passDays(20)
    await quiet()
    expect(await read()).toMatchObject({ plan: 'startup', subscription: 'canceled' })
  })
})

function shuffled<T>(list: T[], seed: number): T[] {
  return list
    .map((item, at) => ({
      item,
      order: Math.imul((at + 1) * 2_654_435_761 + seed * 40_503, 2_246_822_519) >>> 0,
    }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
