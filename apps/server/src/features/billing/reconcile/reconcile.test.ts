import { beforeEach, describe, expect, it } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, ownSandbox } from '../../../../test/payments.ts'
import { reconcile } from './reconcile.ts'

// A separate sandbox without webhooks, so that only the nightly job sees changes.
const sandbox = await ownSandbox()
const { call, people, db, services, clock } = await makeTestApp(sandbox.env)
const nothing = { states: 0, seats: 0, usage: 0, payers: 0 }

beforeEach(() => sandbox.clearFaults())

async function subscriber(plan = 'startup_yearly', number?: string) {
  const user = await people.verified()
  const body = { plan, token: await sandbox.card(number) }
  expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(200)
  const { account, subscription } = await billingRows(db, user.account_id)
  const customer = String(account?.stripe_customer_id)
  return { ...user, customer, subscription: String(subscription?.provider_sub_id) }
}
const night = () => reconcile(services, null)
const rowOf = async (account: string) => (await billingRows(db, account)).subscription

describe('the nightly job repairs missed changes [F-05] [F-06]', () => {
  it('changes nothing without a difference', async () => {
    await subscriber()
    await night()
    expect(await night()).toMatchObject(nothing)
  })

  it('an end, a planned end and a new price without webhooks', async () => {
    const [ended, planned] = [await subscriber(), await subscriber()]
    await night()
    await sandbox.api('DELETE', `/v1/subscriptions/${ended.subscription}`)
    await sandbox.api('POST', `/v1/subscriptions/${planned.subscription}`, { cancel_at_period_end: 'true' })
    expect(await night()).toMatchObject({ ...nothing, states: 2 })
    expect(await rowOf(ended.account_id)).toMatchObject({ status: 'canceled' })
    expect(await rowOf(planned.account_id)).toMatchObject({ status: 'active', cancel_at_period_end: true })
    expect(await night()).toMatchObject(nothing)
  })

  it('seats changed at the provider', async () => {
    const owner = await subscriber()
    await night()
    const found = await sandbox.api('GET', `/v1/subscriptions/${owner.subscription}`)
    const item = (found.items as unknown as { data: { id: string }[] }).data[0] // as: items of a subscription
    await sandbox.api('POST', `/v1/subscription_items/${item?.id}`, { quantity: '9' })
    expect(await night()).toMatchObject({ states: 1, seats: 1 })
    expect(await rowOf(owner.account_id)).toMatchObject({ seats: 1 })
    expect(await night()).toMatchObject(nothing)
  })

  it('a second subscription of an attempt is ended, the first one continues', async () => {
    const owner = await subscriber()
    const { attempts } = await billingRows(db, owner.account_id)
    const prices = await sandbox.list('/v1/prices', { 'lookup_keys[0]': 'plinth_scale_base' })
    await sandbox.api('POST', '/v1/subscriptions', {
      customer: owner.customer,
      'items[0][price]': String(prices[0]?.id),
      'metadata[attempt_id]': String(attempts[0]?.id),
    })
    expect(await night()).toMatchObject({ states: 1 })
    const { standing } = await sandbox.ledger(owner.customer)
    expect(standing).toMatchObject([{ id: owner.subscription }])
  })

  it('unreported usage and unhandled webhooks', async () => {
    const owner = await subscriber('scale')
    await call('POST', '/api/usage', { token: owner.token, body: { quantity: 5 } })
    await db.asOwnerOfJobs(
      "insert into payment_webhooks (id, type, customer_id, created_at, received_at) values ('evt_lost', 'x', null, now(), now() - interval '2 hours')",
    )
    expect(await night()).toMatchObject({ usage: 1 })
    const handled = async () =>
      (
        await db.asOwnerOfJobs(
          "select 1 from payment_webhooks where id = 'evt_lost' and handled_at is not null",
        )
      ).rows
    await expect.poll(async () => (await handled()).length, { timeout: 20_000 }).toBe(1)
  })

  it('the payer, when the first owner’s address or the account’s name has changed', async () => {
    const owner = await subscriber()
    await night()
    const email = `new-${owner.email}`
    await db.asOwnerOfJobs('update users set email = $2 where id = $1', [owner.id, email])
    await db.asOwnerOfJobs("update accounts set name = 'Northquay & Sons' where id = $1", [owner.account_id])
    expect(await night()).toMatchObject({ payers: 1 })
    const customer = await sandbox.api('GET', `/v1/customers/${owner.customer}`)
    expect(customer).toMatchObject({ email, name: 'Northquay & Sons' })
    expect(await night()).toMatchObject(nothing)
  })

  it('the mail about the end of a trial, when its webhook was lost', async () => {
    const owner = await subscriber('startup', freshNumber())
    await night()
    const told = async () =>
      (
        await db.asOwnerOfJobs('select kind from billing_notifications_sent where account_id = $1', [
          owner.account_id,
        ])
      ).rows
    expect(await told()).toEqual([])
    clock.add(12 * 86_400_000)
    await night()
    await night()
    expect(await told()).toEqual([{ kind: 'trial_ends' }])
  })
})

describe('failures during the job [F-04] [F-05]', () => {
  it('the job fails while the provider is down, and the retry repairs', async () => {
    const owner = await subscriber()
    await sandbox.api('DELETE', `/v1/subscriptions/${owner.subscription}`)
    await sandbox.fault('GET /v1/subscriptions', '500', 99)
    await expect(night()).rejects.toThrow('payment provider: down')
    await sandbox.clearFaults()
    await night()
    expect(await rowOf(owner.account_id)).toMatchObject({ status: 'canceled' })
  })

  it('a deleted customer does not stop the repair of others', async () => {
    const [gone, owner] = [await subscriber(), await subscriber()]
    await sandbox.api('DELETE', `/v1/customers/${gone.customer}`)
    await sandbox.api('DELETE', `/v1/subscriptions/${owner.subscription}`)
    await night()
    for (const { account_id } of [gone, owner])
      expect(await rowOf(account_id)).toMatchObject({ status: 'canceled' })
  })

  it('concurrent jobs have the same result', async () => {
    const owner = await subscriber()
    await sandbox.api('DELETE', `/v1/subscriptions/${owner.subscription}`)
    await Promise.all([night(), night(), night()])
    expect(await rowOf(owner.account_id)).toMatchObject({ status: 'canceled' })
    expect(await night()).toMatchObject(nothing)
  })

  it('the next job continues with the remaining accounts', async () => {
    await db.asOwnerOfJobs(
      `insert into accounts (id, name, stripe_customer_id)
       select gen_random_uuid(), 'Many', 'cus_none' || n from generate_series(1, 60) n`,
    )
    const first = await night()
    expect(first.accounts).toBe(50)
    const { rows } = await db.asOwnerOfJobs(
      "select data from pgboss.job where name = 'billing.reconcile' order by created_on desc limit 1",
    )
    expect(rows).toMatchObject([{ data: { repaired: { accounts: 50 } } }])
  })
})
