import { describe, expect, it } from 'vitest'
import { usePlan } from '../../../test/factories/use-plan.ts'
import { makeTestApp } from '../../../test/harness.ts'
import { billingRows, type Fault, ownSandbox } from '../../../test/payments.ts'
import { clearAccountCardCache } from './core/saved-card.ts'

// A separate sandbox, because of its faults and its clock.
const sandbox = await ownSandbox()
const { call, people, db, services, clock } = await makeTestApp(sandbox.env)
type Person = { token: string; account_id: string }

async function subscriber(plan = 'startup_yearly') {
  const user = await people.verified()
  const body = { plan, token: await sandbox.card() }
  expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(200)
  const { account, subscription } = await billingRows(db, user.account_id)
  return {
    ...user,
    customer: String(account?.stripe_customer_id),
    subscription: String(subscription?.provider_sub_id),
  }
}
const read = (what: 'card' | 'usage' | 'invoice', { token }: { token: string }, query = '') =>
  call('GET', `/api/account/${what}${query}`, { token })
const none = { brand: null, last4: null, exp_month: null, exp_year: null }

describe('who may read', () => {
  it.each(['card', 'usage', 'invoice'] as const)(
    '%s: owners only, without unknown parameters',
    async what => {
      const owner = await subscriber()
      for (const role of ['admin', 'developer', 'user'] as const)
        expect((await read(what, await people.member(owner, role))).status).toBe(403)
      expect((await call('GET', `/api/account/${what}`)).status).toBe(401)
      const asked = await read(what, owner, `?customer=${owner.customer}&account_id=${owner.account_id}`)
      // No parameter selects another account.
      if (what === 'invoice') expect(asked.status).toBe(422)
      else expect(asked.data).toEqual((await read(what, owner)).data)
    },
  )
})

describe('the card [call:GET /api/account/card] [entity:card]', () => {
  it('is the subscription’s card, else the customer’s, of the own account [T-63]', async () => {
    const [owner, other] = [await subscriber(), await people.owner()]
    const exp_year = new Date().getUTCFullYear() + 3
    expect((await read('card', owner)).data).toEqual({
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year,
    })
    expect((await read('card', other)).data).toEqual(none)
    const token = await sandbox.card('5555555555554444')
    const { customer } = owner
    await sandbox.api('POST', `/v1/payment_methods/${token}/attach`, { customer })
    await sandbox.api('POST', `/v1/customers/${customer}`, {
      'invoice_settings[default_payment_method]': token,
    })
    await clearAccountCardCache(services, owner.account_id)
    expect((await read('card', owner)).data).toMatchObject({ last4: '4242' })
    await sandbox.api('DELETE', `/v1/subscriptions/${owner.subscription}`)
    await clearAccountCardCache(services, owner.account_id)
    expect((await read('card', owner)).data).toMatchObject({ brand: 'mastercard', last4: '4444' })
  })

  it('is cached for some seconds, and read again after a change', async () => {
    const owner = await subscriber()
    await read('card', owner)
    // The cache replies while the provider is down.
    await sandbox.fault('GET /v1/customers', '500', 9)
    expect((await read('card', owner)).data).toMatchObject({ last4: '4242' })
    await clearAccountCardCache(services, owner.account_id)
    expect((await read('card', owner)).status).toBe(503)
    await sandbox.clearFaults()
    // A failure is not cached.
    expect((await read('card', owner)).data).toMatchObject({ last4: '4242' })
  })

  it('is null for a deleted customer', async () => {
    const owner = await subscriber()
    await sandbox.api('DELETE', `/v1/customers/${owner.customer}`)
    expect((await read('card', owner)).data).toEqual(none)
  })
})

describe('the invoices [call:GET /api/account/invoice] [entity:invoice]', () => {
  it('are the account’s own, with number, date, status, total and a document', async () => {
    const [owner, other] = [await subscriber(), await people.owner()]
    const { data, body } = await read('invoice', owner)
    expect(data).toMatchObject([{ status: 'paid', total: 12_000, currency: 'usd' }])
    expect(body.page).toEqual({ start: 1, total: null, previous: null, next: null })
    const [paid] = data
    expect(paid.number).toMatch(/-0001$/)
    expect(Math.abs(Date.parse(paid.date) - Date.now())).toBeLessThan(86_400_000)
    const document = await fetch(paid.invoice_pdf)
    expect(document.headers.get('content-type')).toBe('application/pdf')
    expect((await read('invoice', other)).data).toEqual([])
  })

  it('are paged; a cursor of another customer is refused [T-63]', async () => {
    const [owner, stranger] = [await subscriber(), await subscriber()]
    const change = (quantity: number) =>
      sandbox.api('POST', `/v1/subscriptions/${owner.subscription}`, {
        'items[0][id]': item,
        'items[0][quantity]': String(quantity),
        proration_behavior: 'always_invoice',
      })
    const found = await sandbox.api('GET', `/v1/subscriptions/${owner.subscription}`)
    // as: the items of a subscription
    const item = String((found.items as unknown as { data: { id: string }[] }).data[0]?.id)
    for (let quantity = 2; quantity <= 30; quantity++) await change(quantity)
    const first = (await read('invoice', owner)).body
    const next = `26.${first.data.at(-1).id}`
    expect([first.data.length, first.page]).toMatchObject([25, { start: 1, next }])
    const rest = (await read('invoice', owner, `?cursor=${next}`)).body
    expect([rest.data.length, rest.page]).toMatchObject([5, { start: 26, next: null }])
    const ids = [...first.data, ...rest.data].map(({ id }: { id: string }) => id)
    expect(new Set(ids).size).toBe(30)
    const foreign = (await read('invoice', stranger)).data[0].id
    for (const cursor of [`26.${foreign}`, '1.in_nothing', foreign, 'cus_1', '..%2Fcustomers', ''])
      expect((await read('invoice', owner, `?cursor=${cursor}`)).body).toMatchObject({
        message: 'Cursor is not valid',
        code: 'invalid_input',
        inputError: 'cursor',
      })
  })
})

describe('the provider is down [F-05]', () => {
  it.each(['500', '429', 'garbage'] as Fault[])('%s: refused, and works afterwards', async kind => {
    const owner = await subscriber()
    await sandbox.fault('GET /v1/', kind, 9)
    for (const what of ['card', 'invoice'] as const)
      expect((await read(what, owner)).body).toMatchObject({ code: 'payment_provider_down' })
    // Usage is read from our own tables.
    expect((await read('usage', owner)).status).toBe(200)
    await sandbox.clearFaults()
    for (const what of ['card', 'invoice'] as const) expect((await read(what, owner)).status).toBe(200)
  })
})

describe('usage [call:GET /api/account/usage] [entity:usage]', () => {
  const report = (user: Person, quantity: number, timestamp?: Date) =>
    call('POST', '/api/usage', {
      token: user.token,
      body: { quantity, ...(timestamp && { timestamp: timestamp.toISOString() }) },
    })

  it('of a metered plan: the subscription’s period and its cost', async () => {
    const [owner, other] = [await subscriber('scale'), await subscriber('scale')]
    expect((await read('usage', owner)).data).toMatchObject({ total: 0, label: 'events', amount: 0 })
    await report(owner, 10_000)
    await report(owner, 15)
    const { subscription } = await billingRows(db, owner.account_id)
    const begun = subscription?.current_period_start as unknown as Date // as: a column of the row
    await report(owner, 500, new Date(begun.getTime() - 1000))
    const { data } = await read('usage', owner)
    // 15 at 0.2 cents; usage before the period is excluded.
    expect(data).toMatchObject({ total: 10_015, amount: 3, period_start: begun.toISOString() })
    expect((await read('usage', other)).data).toMatchObject({ total: 0 })
  })

  it('of another plan: the calendar month in UTC, without cost', async () => {
    clock.freeze()
    const owner = await people.owner()
    await report(owner, 7)
    const now = clock.now()
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    expect((await read('usage', owner)).data).toMatchObject({
      total: 7,
      amount: null,
      period_start: first.toISOString(),
      period_end: next.toISOString(),
    })
  })

  it('is in the caller’s language', async () => {
    const owner = await usePlan(services, await people.owner(), 'scale')
    const headers = { 'accept-language': 'de' }
    const { data } = await call('GET', '/api/account/usage', { token: owner.token, headers })
    const month = new Intl.DateTimeFormat('de', { month: 'long', timeZone: 'UTC' }).format(clock.now())
    expect(data.label).toBe('Ereignisse')
    expect(data.period).toContain(month)
  })
})

// Last, because it moves the sandbox's clock.
it('a draft invoice has neither number nor document [entity:invoice]', async () => {
  const owner = await subscriber('scale')
  const { subscription } = await billingRows(db, owner.account_id)
  const renewed = subscription?.current_period_end as unknown as Date // as: a column of the row
  await sandbox.passDays((renewed.getTime() - Date.now()) / 86_400_000 + 0.01)
  const { data: invoices } = await read('invoice', owner)
  expect(invoices).toMatchObject([
    { status: 'draft', number: null, invoice_pdf: null },
    { status: 'paid', total: 4900 },
  ])
})
