import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/harness/temporary-folder.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, ownSandbox } from '../../../../test/payments.ts'
import { reconcile } from '../reconcile/reconcile.ts'
import { ensureWebhookEndpoint } from '../webhooks/webhook-endpoint.ts'

// A separate sandbox with a webhook endpoint, because its clock is moved.
const sandbox = await ownSandbox()
const DATA_DIR = temporaryFolder()
const { app, call, people, db, services } = await makeTestApp({ ...sandbox.env, DATA_DIR })
const base = await app.listen({ port: 0, host: '127.0.0.1' })
await ensureWebhookEndpoint(services, base)
const publicUrl = services.config.publicUrl

beforeEach(() => sandbox.clearFaults())

async function quiet() {
  await sandbox.webhooksIdle()
  const open = async () =>
    (await db.asOwnerOfJobs('select 1 from payment_webhooks where handled_at is null')).rows.length
  await expect.poll(open, { timeout: 20_000 }).toBe(0)
}

async function subscriber(plan: string, number?: string) {
  const user = await people.verified()
  const body = { plan, token: await sandbox.card(number) }
  expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(200)
  await quiet()
  const { account, subscription } = await billingRows(db, user.account_id)
  const customer = String(account?.stripe_customer_id)
  return { ...user, customer, subscription: String(subscription?.provider_sub_id) }
}
type Subscriber = Awaited<ReturnType<typeof subscriber>>

/** Gives the customer a test clock, so that time passes for no other customer. */
async function onClock(owner: Subscriber) {
  const frozen_time = String(Math.floor(Date.now() / 1000))
  const made = await sandbox.api('POST', '/v1/test_helpers/test_clocks', {
    frozen_time,
    customer: owner.customer,
  })
  let now = Number(frozen_time)
  return async (days: number) => {
    now += days * 86_400
    await sandbox.api('POST', `/v1/test_helpers/test_clocks/${made.id}/advance`, { frozen_time: String(now) })
    await quiet()
  }
}

/** Charges this card from now on. */
async function payWith(owner: Subscriber, number: string) {
  const card = await sandbox.card(number)
  await sandbox.api('POST', `/v1/payment_methods/${card}/attach`, { customer: owner.customer })
  await sandbox.api('POST', `/v1/subscriptions/${owner.subscription}`, { default_payment_method: card })
}

/** Notifications of the owners in order, starting with the receipt of the plan. */
async function told(owner: Subscriber): Promise<string[]> {
  const { rows } = await db.asOwnerOfJobs(
    'select kind from billing_notifications_sent where account_id = $1 order by sent_at',
    [owner.account_id],
  )
  return (rows as { kind: string }[]).map(({ kind }) => kind) // as: the table's own column
}
/** Mails of these kinds that were sent to an address. */
async function mailsTo(email: string, kinds = ['payment_trouble', 'trial_ends']) {
  const { rows } = await db.asOwnerOfJobs("select data from pgboss.job where name = 'mail.send'")
  return (rows as { data: { sealed: string; id: string } }[]) // as: what the queue keeps
    .map(({ data }) => JSON.parse(services.encrypter.decrypt(data.sealed, `mail ${data.id}`)))
    .filter(mail => mail.to === email && kinds.includes(mail.kind))
}

const declines = '4000000000000341'
const asks = '4000002760003184'

describe('an unpaid renewal [F-06]', () => {
  it('is mailed to every owner once, regardless of preferences, and then the end', async () => {
    const owner = await subscriber('scale')
    const second = await people.member(owner, 'owner')
    const admin = await people.member(owner, 'admin')
    for (const { token } of [owner, second])
      await call('PATCH', '/api/notification', { token, body: { plan_updated: false, card_updated: false } })
    await payWith(owner, declines)
    const days = await onClock(owner)
    await days(32)
    expect(await told(owner)).toEqual(['receipt', 'payment_failed'])
    // A failed retry three days later is not mailed again.
    await days(4)
    expect(await told(owner)).toEqual(['receipt', 'payment_failed'])
    for (const { email } of [owner, second]) {
      const mails = await mailsTo(email)
      expect(mails).toMatchObject([
        {
          kind: 'payment_trouble',
          data: {
            happened: 'payment_failed',
            url: `${publicUrl}/account/billing`,
            amount: '$49.00',
            card: 'Visa ending 0341',
            next_attempt: expect.stringMatching(/^\w+ \d+, \d{4} \(UTC\)$/),
          },
        },
      ])
    }
    expect(await mailsTo(admin.email)).toEqual([])
    await days(20)
    expect(await told(owner)).toEqual(['receipt', 'payment_failed', 'subscription_ended'])
    expect(await mailsTo(second.email)).toHaveLength(2)
    const newest = async () => (await people.mailTo(second.email)).subject
    await expect.poll(newest, { timeout: 20_000 }).toBe('Your subscription has been canceled')
    // The nightly job mails nothing new.
    await reconcile(services, null)
    expect(await told(owner)).toHaveLength(3)
  })

  it('a payment that needs confirmation is mailed as such, not as failed', async () => {
    const owner = await subscriber('scale')
    await payWith(owner, asks)
    const days = await onClock(owner)
    await days(32)
    expect(await told(owner)).toEqual(['receipt', 'payment_action'])
    expect(await mailsTo(owner.email)).toMatchObject([
      { data: { happened: 'payment_action', plan: 'Scale', amount: '$49.00' } },
    ])
  })

  it('a planned end is not mailed as an end for lack of payment', async () => {
    const owner = await subscriber('scale')
    await sandbox.api('DELETE', `/v1/subscriptions/${owner.subscription}`)
    await quiet()
    expect(await told(owner)).toEqual(['receipt'])
  })
})

describe('a trial that ends', () => {
  it('is mailed once, with the day and the price for all members', async () => {
    const owner = await subscriber('startup', freshNumber())
    const days = await onClock(owner)
    await days(10)
    expect(await told(owner)).toEqual([])
    await days(2)
    expect(await told(owner)).toEqual(['trial_ends'])
    const [notice] = await sandbox.list('/v1/events', { type: 'customer.subscription.trial_will_end' })
    await sandbox.api('POST', '/sandbox/webhooks', { resend: String(notice?.id) })
    await quiet()
    const { subscription } = await billingRows(db, owner.account_id)
    const ends = subscription?.trial_end as unknown as Date // as: a column of the row
    expect(await mailsTo(owner.email)).toMatchObject([
      {
        kind: 'trial_ends',
        data: {
          price: '$12.00',
          period: 'month',
          day: `${new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(ends)} (UTC)`,
          seats: { count: 1, each: '$12.00' },
          card: expect.stringMatching(/^Visa ending \d{4}$/),
        },
      },
    ])
  })

  it('is not mailed when nothing is charged after the trial', async () => {
    const owner = await subscriber('startup', freshNumber())
    await sandbox.api('POST', `/v1/subscriptions/${owner.subscription}`, { cancel_at_period_end: 'true' })
    const days = await onClock(owner)
    await days(12)
    expect(await told(owner)).toEqual([])
  })
})
