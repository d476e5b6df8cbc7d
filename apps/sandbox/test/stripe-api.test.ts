import { get } from 'node:http'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { bodyOf, client, createCustomerWithCard, expanded, sandboxWithPrices } from './support/sandbox.ts'

const { sandbox, stripe, prices } = await sandboxWithPrices()

interface Entry {
  path: string
  method: string
  status: number
  idempotency_key: string | null
  replayed: boolean
  params: Record<string, unknown>
  error: { code?: string } | null
}

const log = async (): Promise<Entry[]> =>
  (await bodyOf<{ data: Entry[] }>(fetch(`${sandbox.origin}/sandbox/log`))).data

const raw = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(sandbox.origin + path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk_test_sandbox',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body,
  })

describe('requests', () => {
  test('an idle connection stays open, so that the next call does not fail', async () => {
    const { headers } = await fetch(`${sandbox.origin}/sandbox/log`)
    expect(headers.get('keep-alive')).toBe('timeout=75')
  })

  test('an unknown parameter is refused by name at any depth', async () => {
    const top = raw('/v1/customers', 'emial=a@b.c')
    expect(await (await top).json()).toMatchObject({
      error: { code: 'parameter_unknown', param: 'emial', type: 'invalid_request_error' },
    })
    const deep = await raw('/v1/subscriptions', 'customer=cus_1&items[0][pric]=price_1')
    expect(await deep.json()).toMatchObject({ error: { code: 'parameter_unknown', param: 'items[0][pric]' } })
  })

  test.each([
    [
      '/v1/subscriptions',
      'customer=x&items[0][price]=p&items[0][quantity]=many',
      'parameter_invalid_integer',
      'items[0][quantity]',
    ],
    ['/v1/subscriptions', 'customer=x&payment_behavior=hope', undefined, 'payment_behavior'],
    ['/v1/subscriptions', 'customer=x&cancel_at_period_end=maybe', undefined, 'cancel_at_period_end'],
    ['/v1/prices', 'unit_amount=5', 'parameter_missing', 'currency'],
    ['/v1/setup_intents', 'payment_method_types[0]=card', 'parameter_unknown', 'payment_method_types'],
    ['/v1/subscriptions', 'items[0][price]=p', 'parameter_missing', 'customer'],
    ['/v1/products', 'name=', 'parameter_invalid_empty', 'name'],
  ])('%s %s', async (path, body, code, param) => {
    const answer = await raw(path, body)
    expect(answer.status).toBe(400)
    const { error } = await bodyOf<{ error: { code?: string } }>(answer)
    expect(error).toMatchObject({ type: 'invalid_request_error', param })
    expect(error.code).toBe(code)
  })

  test('a parameter that the sandbox does not support is refused', async () => {
    const { customer } = await createCustomerWithCard(stripe, '4242424242424242')
    const withFee = stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: prices.seat.id }],
      application_fee_percent: 10,
    })
    await expect(withFee).rejects.toMatchObject({
      code: 'sandbox_unsupported',
      param: 'application_fee_percent',
    })
    const ofAnItem = stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: prices.seat.id, tax_rates: ['txr_1'] }],
    })
    await expect(ofAnItem).rejects.toMatchObject({ code: 'sandbox_unsupported', param: 'items.tax_rates' })
  })

  test('live keys, invalid keys and calls without a key are refused', async () => {
    const as = (authorization: string) => raw('/v1/customers', '', { authorization })
    for (const key of ['Bearer sk_live_1', 'Bearer nonsense', '']) expect((await as(key)).status).toBe(401)
    await expect(
      client(sandbox.port, { maxNetworkRetries: 0 }).customers.retrieve('cus_none'),
    ).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
  })

  test('another API version is refused', async () => {
    expect((await raw('/v1/customers', '', { 'stripe-version': '2020-08-27' })).status).toBe(400)
    const answer = await raw('/v1/customers', '')
    expect(answer.headers.get('stripe-version')).toBe(Stripe.API_VERSION)
    expect(answer.headers.get('request-id')).toMatch(/^req_/)
  })

  test('an unknown path is 404', async () => {
    expect((await raw('/v1/unicorns', '')).status).toBe(404)
  })
})

describe('idempotency', () => {
  test('the same key and body repeat the first reply, also an error; another body is refused', async () => {
    const first = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k1' })
    const again = await stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'k1' })
    expect(again.id).toBe(first.id)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    const other = stripe.customers.create({ name: 'Grace' }, { idempotencyKey: 'k1' })
    await expect(other).rejects.toMatchObject({ type: 'StripeIdempotencyError', statusCode: 400 })
    const bad = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_chargeDeclined' } })
    const attach = () =>
      stripe.paymentMethods.attach(bad.id, { customer: first.id }, { idempotencyKey: 'k2' })
    await expect(attach()).rejects.toMatchObject({ code: 'card_declined' })
    await expect(attach()).rejects.toMatchObject({
      code: 'card_declined',
      headers: { 'idempotent-replayed': 'true' },
    })
  })

  test('a key can be used again after a refusal before the execution', async () => {
    expect((await raw('/v1/customers', 'emial=a', { 'idempotency-key': 'k3' })).status).toBe(400)
    expect((await raw('/v1/customers', 'email=a@b.c', { 'idempotency-key': 'k3' })).status).toBe(200)
  })

  test('a second call with a key that is in progress gets 409', async () => {
    await sandbox.post('/sandbox/faults', { match: 'POST /v1/customers', kind: 'slow', times: 1, ms: 60_000 })
    const slow = stripe.customers.create({ name: 'Slow' }, { idempotencyKey: 'k4' })
    // Send the second call when the log shows the first.
    while (!(await log()).some(entry => entry.params.name === 'Slow'));
    const second = stripe.customers.create({ name: 'Slow' }, { idempotencyKey: 'k4' })
    await expect(second).rejects.toMatchObject({ statusCode: 409 })
    await fetch(`${sandbox.origin}/sandbox/faults`, { method: 'DELETE' })
    expect((await slow).name).toBe('Slow')
  })
})

describe('faults', () => {
  const fault = (kind: string, more = {}) =>
    sandbox.post('/sandbox/faults', { match: 'POST /v1/customers', kind, times: 1, ...more })

  test('the SDK retries after 500, 409 and a lost reply with one key; the call runs once', async () => {
    const patient = client(sandbox.port, { maxNetworkRetries: 2 })
    for (const kind of ['500', '409', 'drop_after_commit']) {
      await fault(kind)
      const email = `${kind}@example.com`
      const made = await patient.customers.create({ email })
      expect((await stripe.customers.list({ email })).data.map(one => one.id)).toEqual([made.id])
    }
  })

  test('the SDK reports 429, invalid JSON and a timeout as such', async () => {
    await fault('429')
    await expect(stripe.customers.create({})).rejects.toMatchObject({ type: 'StripeRateLimitError' })
    await fault('garbage')
    await expect(stripe.customers.create({})).rejects.toMatchObject({ type: 'StripeAPIError' })
    await fault('timeout', { times: 2, ms: 60_000 })
    const hasty = client(sandbox.port, { timeout: 100 })
    await expect(hasty.customers.create({})).rejects.toMatchObject({ type: 'StripeConnectionError' })
    await fetch(`${sandbox.origin}/sandbox/faults`, { method: 'DELETE' })
  })

  test('an invalid fault is refused', async () => {
    expect((await fault('rain')).status).toBe(400)
    expect((await sandbox.post('/sandbox/faults', { match: 'customers', kind: '500' })).status).toBe(400)
  })
})

describe('reading', () => {
  test('expand works for at most four levels and for expandable fields only', async () => {
    const { customer } = await createCustomerWithCard(stripe, '4242424242424242')
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: prices.seat.id }],
    })
    const deep = await stripe.subscriptions.retrieve(id, {
      expand: ['latest_invoice.customer.invoice_settings.default_payment_method'],
    })
    const owner = expanded<Stripe.Customer>(
      expanded<Stripe.Invoice>(deep.latest_invoice).customer as Stripe.Customer,
    ) // as: the customer above is not deleted
    expect(expanded<Stripe.PaymentMethod>(owner.invoice_settings.default_payment_method).card?.last4).toBe(
      '4242',
    )
    const five = stripe.subscriptions.retrieve(id, {
      expand: ['latest_invoice.payments.data.payment.payment_intent'],
    })
    await expect(five).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('more than 4 levels'),
    })
    await expect(stripe.subscriptions.retrieve(id, { expand: ['status'] })).rejects.toMatchObject({
      statusCode: 400,
    })
    await expect(stripe.subscriptions.retrieve(id, { expand: ['nonsense'] })).rejects.toMatchObject({
      statusCode: 400,
    })
    const list = await stripe.subscriptions.list({ customer: customer.id, expand: ['data.customer'] })
    expect(list.data[0]?.customer).toMatchObject({ id: customer.id })
  })

  test('lists are newest first and paged by cursor in both directions', async () => {
    const made: string[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e'])
      made.unshift((await stripe.customers.create({ name, email: 'list@example.com' })).id)
    const query = { email: 'list@example.com', limit: 2 }
    const one = await stripe.customers.list(query)
    expect(one).toMatchObject({ has_more: true, url: '/v1/customers' })
    expect(one.data.map(row => row.id)).toEqual(made.slice(0, 2))
    const two = await stripe.customers.list({ ...query, starting_after: made[1] })
    expect(two.data.map(row => row.id)).toEqual(made.slice(2, 4))
    const back = await stripe.customers.list({ ...query, ending_before: made[2] })
    expect(back.data.map(row => row.id)).toEqual(made.slice(0, 2))
    const all: string[] = []
    for await (const row of stripe.customers.list(query)) all.push(row.id)
    expect(all).toEqual(made)
    await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
  })

  test('prices are found by lookup key, and a key can move to a new price', async () => {
    const price = (more: object) =>
      stripe.prices.create({
        product: prices.seat.product.toString(),
        currency: 'usd',
        unit_amount: 5,
        recurring: { interval: 'month' },
        lookup_key: 'startup',
        ...more,
      })
    const old = await price({})
    await expect(price({})).rejects.toMatchObject({ param: 'lookup_key' })
    const fresh = await price({ transfer_lookup_key: true })
    expect((await stripe.prices.list({ lookup_keys: ['startup'] })).data.map(one => one.id)).toEqual([
      fresh.id,
    ])
    expect((await stripe.prices.retrieve(old.id)).lookup_key).toBeNull()
  })

  test('metadata is merged, and an empty value removes its key', async () => {
    const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2' } })
    const changed = await stripe.customers.update(id, { metadata: { a: '', c: 3 } })
    expect(changed.metadata).toEqual({ b: '2', c: '3' })
  })
})

test('the request log contains every call without card numbers', async () => {
  await stripe.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 1, exp_year: 2040 },
  })
  const entry = (await log()).at(-1)
  expect(entry).toMatchObject({ method: 'POST', path: '/v1/payment_methods', status: 200, replayed: false })
  expect(JSON.stringify(entry)).not.toContain('4242424242424242')
})

test('calls from other origins cannot reset or read the sandbox', async () => {
  const reset = await fetch(`${sandbox.origin}/sandbox/reset`, {
    method: 'POST',
    headers: { origin: 'http://evil.test' },
  })
  expect(reset.status).toBe(403)
  const read = await fetch(`${sandbox.origin}/sandbox/inbox`, { headers: { origin: 'http://evil.test' } })
  expect(read.headers.get('access-control-allow-origin')).toBeNull()
})

test('another host name for this machine is not served', async () => {
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  get({ port: sandbox.port, path: '/sandbox/inbox', headers: { host: 'evil.test' } }, answer =>
    resolve(answer.statusCode),
  )
  expect(await promise).toBe(421)
})
