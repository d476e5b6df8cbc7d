import { beforeEach, describe, expect, it, vi } from 'vitest'
import { usePlan } from '../../../../test/factories/use-plan.ts'
import { makeTestApp, password } from '../../../../test/harness.ts'
import { billingRows, ownSandbox } from '../../../../test/payments.ts'
import { openPayments } from '../../../integrations/stripe/payments.ts'
import { reportPendingUsage } from './report-usage.ts'

// A separate sandbox, because planted faults must not hit other files.
const sandbox = await ownSandbox()
const { call, people, db, services, config, clock } = await makeTestApp(sandbox.env)

beforeEach(() => sandbox.clearFaults())

async function subscriber(plan = 'scale') {
  const user = await people.verified()
  const body = { plan, token: await sandbox.card() }
  expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(200)
  const { account, subscription } = await billingRows(db, user.account_id)
  const customer = String(account?.stripe_customer_id)
  return { ...user, customer, subscription: String(subscription?.provider_sub_id) }
}
type Subscriber = Awaited<ReturnType<typeof subscriber>>

async function report({ token }: { token: string }, quantity: number, timestamp?: Date) {
  const body = { quantity, ...(timestamp && { timestamp: timestamp.toISOString() }) }
  expect((await call('POST', '/api/usage', { token, body })).status).toBe(200)
}

/** The provider's meter reading of a customer. */
async function counted({ customer }: Subscriber) {
  const [meter] = await sandbox.list('/v1/billing/meters', {})
  const now = Math.floor(Date.now() / 1000)
  const window = { start_time: String(now - 40 * 86_400), end_time: String(now + 60) }
  const rows = await sandbox.list(`/v1/billing/meters/${meter?.id}/event_summaries`, { customer, ...window })
  return rows.reduce((sum, row) => sum + Number(row.aggregated_value), 0)
}
const waiting = async (account: string) =>
  (
    await db.asOwnerOfJobs(
      'select 1 from usage_events where account_id = $1 and meter is not null and sent_at is null',
      [account],
    )
  ).rows.length

describe('usage is reported to the provider [entity:usage]', () => {
  it('each row once, regardless of how often the job runs, as the invoice shows it', async () => {
    const owner = await subscriber()
    await report(owner, 40)
    await report(owner, 2, new Date(Date.now() - 20 * 86_400_000))
    expect(await reportPendingUsage(services)).toBe(2)
    await Promise.all([reportPendingUsage(services), reportPendingUsage(services)])
    expect([await counted(owner), await waiting(owner.account_id)]).toEqual([42, 0])
  })

  it('before a metered plan ends, so that the last minute is billed', async () => {
    const owner = await subscriber()
    await report(owner, 12)
    const answer = await call('PATCH', '/api/account/plan', { token: owner.token, body: { plan: 'startup' } })
    expect([answer.status, answer.data.plan]).toEqual([200, 'startup'])
    expect([await counted(owner), await waiting(owner.account_id)]).toEqual([12, 0])
  })

  it('more than one batch, by several workers at once', async () => {
    const owner = await subscriber()
    await db.asOwnerOfJobs(
      `insert into usage_events (id, account_id, identifier, quantity, occurred_at, created_at, meter)
       select gen_random_uuid(), $1, 'report ' || n, 1, now(), now(), 'plinth_usage' from generate_series(1, 230) n`,
      [owner.account_id],
    )
    await Promise.all([reportPendingUsage(services), reportPendingUsage(services)])
    expect([await counted(owner), await waiting(owner.account_id)]).toEqual([230, 0])
  })

  it('a row older than the provider’s window is reported inside it', async () => {
    const owner = await subscriber()
    await report(owner, 3)
    await db.asOwnerOfJobs(
      "update usage_events set occurred_at = now() - interval '60 days' where account_id = $1",
      [owner.account_id],
    )
    expect(await reportPendingUsage(services)).toBe(1)
    expect(await counted(owner)).toBe(3)
  })

  it('usage on a plan without a meter is never charged', async () => {
    const owner = await subscriber('startup_yearly')
    await report(owner, 500)
    await usePlan(services, owner, 'scale')
    expect(await reportPendingUsage(services)).toBe(0)
    await report(owner, 1)
    expect(await reportPendingUsage(services)).toBe(1)
    expect(await counted(owner)).toBe(1)
    const usage = await call('GET', '/api/account/usage', { token: owner.token })
    expect(usage.data).toMatchObject({ total: 1 })
  })
})

describe('failures during the job [F-04] [F-05]', () => {
  it.each(['500', '429', 'garbage'] as const)('%s: nothing is lost, nothing counts twice', async kind => {
    const owner = await subscriber()
    for (let n = 0; n < 7; n++) await report(owner, 10)
    await sandbox.fault('POST /v1/billing/meter_events', kind, 9)
    await reportPendingUsage(services)
    await sandbox.clearFaults()
    await reportPendingUsage(services)
    expect([await counted(owner), await waiting(owner.account_id)]).toEqual([70, 0])
  })

  it('a lost reply is not counted twice', async () => {
    const owner = await subscriber()
    await report(owner, 10)
    await sandbox.fault('POST /v1/billing/meter_events', 'drop_after_commit', 2)
    await reportPendingUsage(services)
    await sandbox.clearFaults()
    await reportPendingUsage(services)
    expect([await counted(owner), await waiting(owner.account_id)]).toEqual([10, 0])
  })

  it('a crash before the rows are marked counts nothing twice', async () => {
    const owner = await subscriber()
    await report(owner, 10)
    await reportPendingUsage(services)
    await db.asOwnerOfJobs('update usage_events set sent_at = null where account_id = $1', [owner.account_id])
    await reportPendingUsage(services)
    expect([await counted(owner), await waiting(owner.account_id)]).toEqual([10, 0])
  })

  it('a rejected row is skipped for a day, and the others continue', async () => {
    const [odd, other] = [await subscriber(), await subscriber()]
    await report(odd, 1)
    const why = "update usage_events set meter = 'nobody_counts_this' where account_id = $1"
    await db.asOwnerOfJobs(why, [odd.account_id])
    await report(odd, 30)
    await report(other, 5)
    const told = vi.spyOn(services.integrations.payments, 'reportUsage')
    const error = vi.spyOn(services.log, 'error')
    expect(await reportPendingUsage(services)).toBe(2)
    expect(await reportPendingUsage(services)).toBe(0)
    expect([await counted(odd), await counted(other), await waiting(odd.account_id)]).toEqual([30, 5, 1])
    expect([told.mock.calls.length, error.mock.calls.length]).toEqual([3, 1])
    // Once the reason is fixed, the row is reported the next day.
    await db.asOwnerOfJobs(why.replace('nobody_counts_this', 'plinth_usage'), [odd.account_id])
    expect(await reportPendingUsage(services)).toBe(0)
    clock.add(86_400_000 + 1000)
    expect(await reportPendingUsage(services)).toBe(1)
    clock.add(-86_400_000 - 1000)
    expect([await counted(odd), await waiting(odd.account_id)]).toEqual([31, 0])
    vi.restoreAllMocks()
  })

  it('an invalid API key marks no row as rejected', async () => {
    const owner = await subscriber()
    await report(owner, 8)
    const known = services.integrations.payments
    const guard = () => {}
    services.integrations.payments = openPayments({
      ...config.payments,
      secretKey: 'sk_live_of_somebody_else',
      guard,
    })
    expect(await reportPendingUsage(services)).toBe(0)
    services.integrations.payments = known
    expect(await reportPendingUsage(services)).toBe(1)
    expect(await counted(owner)).toBe(8)
  })

  it('a deleted customer does not delay others', async () => {
    const [gone, well] = [await subscriber(), await subscriber()]
    await report(gone, 1)
    await report(well, 5)
    await sandbox.api('DELETE', `/v1/customers/${gone.customer}`)
    await reportPendingUsage(services)
    expect([await waiting(gone.account_id), await waiting(well.account_id)]).toEqual([1, 0])
    await db.asOwnerOfJobs('delete from usage_events where account_id = $1', [gone.account_id])
  })
})

it('a closed account’s last invoice includes all usage [T-25]', async () => {
  const owner = await subscriber()
  await report(owner, 10_000)
  await report(owner, 1000)
  const body = { password }
  expect((await call('DELETE', '/api/account', { token: owner.token, body })).status).toBe(200)
  const last = async () =>
    (await sandbox.list('/v1/invoices', { customer: owner.customer })).map(invoice => invoice.total)
  // 1,000 above the first 10,000, at 0.2 of a cent.
  await expect.poll(last, { timeout: 20_000 }).toEqual([200, 4900])
  const settled = async () =>
    (
      await db.asOwnerOfJobs(
        'select usage, settled_at is not null as settled from account_closures where account_id = $1',
        [owner.account_id],
      )
    ).rows
  await expect.poll(settled, { timeout: 20_000 }).toEqual([{ usage: [], settled: true }])
})
