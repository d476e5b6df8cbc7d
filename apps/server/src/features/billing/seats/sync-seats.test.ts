import { beforeEach, describe, expect, it } from 'vitest'
import { queuedMails } from '../../../../test/harness/queued-mails.ts'
import { freshEmail, makeTestApp } from '../../../../test/harness.ts'
import { billingRows, ownSandbox } from '../../../../test/payments.ts'
import { syncSeats } from './sync-seats.ts'

// A separate sandbox, because planted faults must not hit other files.
const sandbox = await ownSandbox()
const { call, people, db, services, clock } = await makeTestApp(sandbox.env)
const outgoing = queuedMails({ db, services })
const minute = 60_000

beforeEach(() => sandbox.clearFaults())

async function subscriber(plan = 'startup_yearly') {
  const user = await people.verified()
  const body = { plan, token: await sandbox.card() }
  expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(200)
  const { account, subscription } = await billingRows(db, user.account_id)
  const customer = String(account?.stripe_customer_id)
  return { ...user, customer, subscription: String(subscription?.provider_sub_id) }
}
type Subscriber = Awaited<ReturnType<typeof subscriber>>

/** Inserts members directly. */
async function join(owner: Subscriber, count: number) {
  for (let n = 0; n < count; n++)
    await db.asOwnerOfJobs(
      `with person as (insert into users (id, email, first_name, last_name, locale, verified_at)
         values (gen_random_uuid(), $2, 'Ines', 'Duarte', 'en', now()) returning id)
       insert into memberships (account_id, user_id, role) select $1, id, 'user' from person`,
      [owner.account_id, freshEmail()],
    )
}
const leave = (owner: Subscriber) =>
  db.asOwnerOfJobs("delete from memberships where account_id = $1 and role = 'user'", [owner.account_id])

/** The next run of the job, a minute later. */
async function nextRun() {
  clock.add(minute)
  return syncSeats(services)
}
const paidFor = async (owner: Subscriber) => {
  const found = await sandbox.api('GET', `/v1/subscriptions/${owner.subscription}`)
  return (found.items as unknown as { data: { quantity?: number }[] }).data[0]?.quantity // as: items of a subscription
}
const writesTo = async (owner: Subscriber) =>
  (await sandbox.list('/v1/events', { type: 'customer.subscription.updated' })).filter(event =>
    JSON.stringify(event).includes(owner.subscription),
  ).length
const seatsHere = async (owner: Subscriber) => (await billingRows(db, owner.account_id)).subscription?.seats

describe('seats follow the number of members', () => {
  it('members who join together are one change, those who leave another', async () => {
    const owner = await subscriber()
    await join(owner, 3)
    expect(await syncSeats(services)).toBe(0)
    expect(await nextRun()).toBe(1)
    expect([await paidFor(owner), await seatsHere(owner), await writesTo(owner)]).toEqual([4, 4, 1])
    expect(await nextRun()).toBe(0)
    await leave(owner)
    await nextRun()
    expect([await paidFor(owner), await seatsHere(owner), await writesTo(owner)]).toEqual([1, 1, 2])
    // The same number again needs another key: the provider must not replay the first reply.
    await join(owner, 3)
    await nextRun()
    expect([await paidFor(owner), await writesTo(owner)]).toEqual([4, 3])
  })

  it('the price until the period ends goes on the next invoice', async () => {
    const owner = await subscriber()
    await join(owner, 1)
    await nextRun()
    expect(await sandbox.list('/v1/invoices', { customer: owner.customer })).toHaveLength(1)
  })

  it('replacing a member changes nothing', async () => {
    const owner = await subscriber()
    await join(owner, 1)
    await nextRun()
    const before = await writesTo(owner)
    await leave(owner)
    await join(owner, 1)
    expect(await nextRun()).toBe(0)
    expect(await writesTo(owner)).toBe(before)
  })

  it('a plan not sold by the seat keeps one seat', async () => {
    const owner = await subscriber('scale')
    await join(owner, 2)
    expect(await nextRun()).toBe(0)
    expect(await paidFor(owner)).toBe(1)
  })

  it('an ended subscription is not changed', async () => {
    const owner = await subscriber()
    await join(owner, 1)
    await sandbox.api('DELETE', `/v1/subscriptions/${owner.subscription}`)
    expect(await nextRun()).toBe(0)
    expect(await nextRun()).toBe(0)
    expect(await paidFor(owner)).toBe(1)
  })

  it('a subscription of another customer is not changed [T-63]', async () => {
    const [owner, other] = [await subscriber(), await subscriber()]
    await db.asOwnerOfJobs('update subscriptions set provider_sub_id = null where account_id = $1', [
      other.account_id,
    ])
    await db.asOwnerOfJobs('update subscriptions set provider_sub_id = $2 where account_id = $1', [
      owner.account_id,
      other.subscription,
    ])
    await join(owner, 1)
    expect(await nextRun()).toBe(0)
    expect(await paidFor(other)).toBe(1)
  })
})

describe('failures during the job [F-04] [F-05]', () => {
  it('seats are synced when the provider is back', async () => {
    const owner = await subscriber()
    await join(owner, 2)
    await sandbox.fault('POST /v1/subscriptions', '500', 99)
    for (let n = 0; n < 3; n++) expect(await nextRun()).toBe(0)
    expect(await paidFor(owner)).toBe(1)
    await sandbox.clearFaults()
    expect(await nextRun()).toBe(1)
    expect([await paidFor(owner), await seatsHere(owner)]).toEqual([3, 3])
  })

  it('a lost reply does not cause a second change', async () => {
    const owner = await subscriber()
    await join(owner, 2)
    await sandbox.fault('POST /v1/subscriptions', 'drop_after_commit', 2)
    await nextRun()
    await sandbox.clearFaults()
    await nextRun()
    expect([await paidFor(owner), await seatsHere(owner), await writesTo(owner)]).toEqual([3, 3, 1])
  })

  it('two workers at once make one change', async () => {
    const owner = await subscriber()
    await join(owner, 2)
    clock.add(minute)
    await Promise.all(Array.from({ length: 5 }, () => syncSeats(services)))
    expect([await paidFor(owner), await writesTo(owner)]).toEqual([3, 1])
  })

  it('an account that the provider rejects does not delay others', async () => {
    const [stuck, well] = [await subscriber(), await subscriber()]
    await join(stuck, 1)
    await join(well, 1)
    await sandbox.fault(`POST /v1/subscriptions/${stuck.subscription}`, '500', 99)
    await nextRun()
    await nextRun()
    await sandbox.clearFaults()
    await nextRun()
    expect([await paidFor(stuck), await paidFor(well)]).toEqual([2, 2])
  })

  it('members who join during a payment are synced after it', async () => {
    const user = await people.verified()
    const card = await sandbox.card('4000002760003184')
    const body = { plan: 'startup_yearly', token: card }
    const due = await call('POST', '/api/account/plan', { token: user.token, body })
    const owner = { ...user, customer: '', subscription: '' }
    await join(owner, 1)
    expect(await nextRun()).toBe(0)
    const payment_intent = await sandbox.bank(due.data.client_secret, 'complete')
    await call('POST', '/api/account/plan', { token: user.token, body: { ...body, payment_intent } })
    const { subscription } = await billingRows(db, user.account_id)
    await nextRun()
    expect(await paidFor({ ...owner, subscription: String(subscription?.provider_sub_id) })).toBe(2)
  })
})

// Last, because it moves the sandbox's clock.
it('seats are synced while a payment is due', async () => {
  const owner = await subscriber()
  const bad = await sandbox.card('4000000000000341')
  await sandbox.api('POST', `/v1/payment_methods/${bad}/attach`, { customer: owner.customer })
  await sandbox.api('POST', `/v1/subscriptions/${owner.subscription}`, { default_payment_method: bad })
  await sandbox.passDays(367)
  await join(owner, 1)
  await nextRun()
  const found = await sandbox.api('GET', `/v1/subscriptions/${owner.subscription}`)
  expect([found.status, await paidFor(owner)]).toEqual(['past_due', 2])
})

describe('a change of seats', () => {
  it('mails owners the new price after members were added or removed', async () => {
    const owner = await subscriber('startup_yearly')
    const mails = async () =>
      (await outgoing(mail => mail.to === owner.email && mail.kind === 'seats_changed')).map(
        mail => mail.data,
      )
    await join(owner, 2)
    await nextRun()
    expect(await mails()).toMatchObject([
      { plan: 'Startup yearly', before: 1, count: 3, price: '$360.00', period: 'year' },
    ])
    await leave(owner)
    await nextRun()
    await nextRun()
    expect((await mails()).slice(1)).toMatchObject([{ before: 3, count: 1, price: '$120.00' }])
  })
})
