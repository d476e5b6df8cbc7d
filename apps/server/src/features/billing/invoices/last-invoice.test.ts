import { expect, test } from 'vitest'
import { queuedMails } from '../../../../test/harness/queued-mails.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, paymentsOf } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { sync } from '../sync/sync.ts'

const made = await makeTestApp()
const { call, db, services, config } = made
const payments = paymentsOf(config.payments.apiBase ?? '')
const { on, change, preview, subscription, standing } = plansOf(made, payments)
const outgoing = queuedMails({ db, services })
const upcoming = async (token: string) => (await call('GET', '/api/account/invoice/upcoming', { token })).data
const endMail = async (email: string) =>
  (await outgoing(mail => mail.to === email && mail.kind === 'plan_ends')).at(-1)?.data

type Owner = Awaited<ReturnType<typeof on>>

/** Adds seats at the provider, whose prorations go on the next invoice. */
async function addSeats(owner: Owner, quantity: number) {
  const { items } = (await standing(owner.account_id)) as unknown as { items: { data: { id: string }[] } } // as: items of a subscription
  await payments.api('POST', `/v1/subscriptions/${owner.subscription}`, {
    'items[0][id]': items.data[0]?.id ?? '',
    'items[0][quantity]': String(quantity),
    proration_behavior: 'create_prorations',
  })
  await sync(services, owner.account_id, owner.subscription)
}

/** The last invoice of the provider if the plan ends with its period. */
async function lastAmount(owner: Owner): Promise<number> {
  const fields = { subscription: owner.subscription, 'subscription_details[cancel_at_period_end]': 'true' }
  return Number((await payments.api('POST', '/v1/invoices/create_preview', fields)).amount_due)
}

test('pending prorations show in the preview of the free plan, in its mail and afterwards', async () => {
  const owner = await on('startup_yearly')
  await addSeats(owner, 3)
  const amount = await lastAmount(owner)
  expect(amount).toBeGreaterThan(23_900)
  const { quote, ...shown } = await preview(owner.token, 'free')
  expect(shown).toMatchObject({ when: 'period_end', due_now: 0, next_amount: amount, currency: 'usd' })
  expect((await change(owner.token, { plan: 'free', quote })).status).toBe(200)
  const { current_period_end: date } = await subscription(owner.token)
  expect(await upcoming(owner.token)).toMatchObject({ amount, date })
  const dollars = `$${(amount / 100).toFixed(2)}`
  expect(await endMail(owner.email)).toMatchObject({ last: dollars, usage: false })
})

test('usage shows in the preview of the free plan, including just reported usage', async () => {
  const owner = await on('scale')
  const body = { quantity: 20_000 }
  expect((await call('POST', '/api/usage', { token: owner.token, body })).status).toBe(200)
  const { quote, next_amount } = await preview(owner.token, 'free')
  expect(next_amount).toBe(2000)
  expect((await change(owner.token, { plan: 'free', quote })).status).toBe(200)
  expect(await upcoming(owner.token)).toMatchObject({ amount: 2000 })
  expect(await endMail(owner.email)).toMatchObject({ last: '$20.00', usage: true })
})

test('a plan that ends without anything to bill shows no last amount', async () => {
  const owner = await on('startup_yearly')
  const { quote, next_amount } = await preview(owner.token, 'free')
  expect(next_amount).toBe(0)
  await change(owner.token, { plan: 'free', quote })
  expect(await upcoming(owner.token)).toMatchObject({ amount: null, date: null })
  expect(await endMail(owner.email)).toMatchObject({ last: null, usage: false })
})

test('the preview of a change that undoes a planned end includes the renewal', async () => {
  const owner = await on('scale')
  const before = await preview(owner.token, 'startup')
  await change(owner.token, { plan: 'free' })
  const after = await preview(owner.token, 'startup')
  expect(Math.abs(after.next_amount - before.next_amount)).toBeLessThan(5)
  const cancel_at = String(Math.floor(Date.now() / 1000) + 86_400)
  await payments.api('POST', `/v1/subscriptions/${owner.subscription}`, { cancel_at })
  expect((await preview(owner.token, 'startup')).next_amount).toBe(after.next_amount)
})

test('an end that only the provider knows shows no next payment and no error', async () => {
  const owner = await on('scale')
  await payments.api('POST', `/v1/subscriptions/${owner.subscription}`, { cancel_at_period_end: 'true' })
  expect((await billingRows(db, owner.account_id)).subscription?.cancel_at_period_end).not.toBe(true)
  const answer = await call('GET', '/api/account/invoice/upcoming', { token: owner.token })
  expect([answer.status, answer.data]).toEqual([
    200,
    { credit: 0, currency: 'usd', prorated: 0, date: null, amount: null, draft: null },
  ])
})
