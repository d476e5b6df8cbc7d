import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../../test/harness/temporary-folder.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, ownSandbox } from '../../../../test/payments.ts'
import { ensureWebhookEndpoint } from '../webhooks/webhook-endpoint.ts'

// A separate sandbox with a webhook endpoint, because its clocks are moved.
const sandbox = await ownSandbox()
const DATA_DIR = temporaryFolder()
const { app, call, people, db, services } = await makeTestApp({ ...sandbox.env, DATA_DIR })
await ensureWebhookEndpoint(services, await app.listen({ port: 0, host: '127.0.0.1' }))

const declines = '4000000000000341'
const asks = '4000002760003184'

async function quiet() {
  await sandbox.webhooksIdle()
  const open = async () =>
    (await db.asOwnerOfJobs('select 1 from payment_webhooks where handled_at is null')).rows.length
  await expect.poll(open, { timeout: 20_000 }).toBe(0)
}

/** An account whose first renewal was declined or needs confirmation. */
async function owing(number: string) {
  const user = await people.verified()
  const body = { plan: 'scale', token: await sandbox.card() }
  expect((await call('POST', '/api/account/plan', { token: user.token, body })).status).toBe(200)
  await quiet()
  const { account, subscription } = await billingRows(db, user.account_id)
  const [customer, id] = [String(account?.stripe_customer_id), String(subscription?.provider_sub_id)]
  const card = await sandbox.card(number)
  await sandbox.api('POST', `/v1/payment_methods/${card}/attach`, { customer })
  await sandbox.api('POST', `/v1/subscriptions/${id}`, { default_payment_method: card })
  const now = Math.floor(Date.now() / 1000)
  const clocks = '/v1/test_helpers/test_clocks'
  const clock = await sandbox.api('POST', clocks, { frozen_time: String(now), customer })
  await sandbox.api('POST', `${clocks}/${clock.id}/advance`, { frozen_time: String(now + 32 * 86_400) })
  await quiet()
  const [invoice] = await sandbox.list('/v1/invoices', { customer, status: 'open' })
  return { ...user, subscription: id, invoice: invoice as unknown as Invoice } // as: what the provider answers
}
type Invoice = { id: string; next_payment_attempt: number; hosted_invoice_url: string }

const read = async ({ token }: { token: string }) =>
  (await call('GET', '/api/account/subscription', { token })).data

describe('the amount due [call:GET /api/account/subscription] [entity:subscription]', () => {
  it('after a declined renewal: the amount and the next try; after payment: nothing', async () => {
    const owner = await owing(declines)
    expect(await read(owner)).toMatchObject({
      status: 'requires_payment_method',
      due: {
        amount: 4900,
        currency: 'usd',
        next_attempt: new Date(owner.invoice.next_payment_attempt * 1000).toISOString(),
      },
    })
    const token = await sandbox.card()
    expect((await call('PATCH', '/api/account/card', { token: owner.token, body: { token } })).status).toBe(
      200,
    )
    expect(await read(owner)).toMatchObject({ status: 'active', due: null })
  })

  it('a payment that needs confirmation links to the provider’s page, as the mail does', async () => {
    const owner = await owing(asks)
    const page = owner.invoice.hosted_invoice_url
    expect(await read(owner)).toMatchObject({ status: 'requires_action', due: { amount: 4900, page } })
    const links = async () => (await people.mailTo(owner.email)).links
    await expect.poll(links, { timeout: 20_000 }).toContain(page)
    const question = await fetch(page)
    expect(await question.text()).toContain('Confirm it is you')
  })

  it('is left out while the provider is down, and the rest is shown [F-05]', async () => {
    const owner = await owing(declines)
    await sandbox.fault('GET /v1/subscriptions', '500', 9)
    expect(await read(owner)).toMatchObject({ status: 'requires_payment_method', due: null })
    await sandbox.clearFaults()
    expect(await read(owner)).toMatchObject({ due: { amount: 4900 } })
  })

  it('links to no other address than the provider’s', async () => {
    const owner = await owing(asks)
    const { payments } = services.integrations
    const kept = payments.cachedDueOf
    payments.cachedDueOf = async (...asked) => {
      const due = await kept(...asked)
      return due && { ...due, page: 'https://stripe.com.example/i/1' }
    }
    try {
      expect(await read(owner)).toMatchObject({ due: { amount: 4900, page: null } })
    } finally {
      payments.cachedDueOf = kept
    }
  })
})
