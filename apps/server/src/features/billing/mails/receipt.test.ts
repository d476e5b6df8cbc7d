import { expect, test } from 'vitest'
import { queuedMails } from '../../../../test/harness/queued-mails.ts'
import { temporaryFolder } from '../../../../test/harness/temporary-folder.ts'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, freshNumber, ownSandbox } from '../../../../test/payments.ts'
import { ensureWebhookEndpoint } from '../webhooks/webhook-endpoint.ts'

const sandbox = await ownSandbox()
const { app, call, people, db, services } = await makeTestApp({ ...sandbox.env, DATA_DIR: temporaryFolder() })
await ensureWebhookEndpoint(services, await app.listen({ port: 0, host: '127.0.0.1' }))
const outgoing = queuedMails({ db, services })
const receiptsTo = (email: string) => outgoing(mail => mail.to === email && mail.kind === 'receipt')

async function quiet() {
  await sandbox.webhooksIdle()
  const open = async () =>
    (await db.asOwnerOfJobs('select 1 from payment_webhooks where handled_at is null')).rows.length
  await expect.poll(open, { timeout: 60_000 }).toBe(0)
}

const choose = async (token: string, plan: string, number?: string) =>
  call('POST', '/api/account/plan', { token, body: { plan, token: await sandbox.card(number) } })

test('a paid invoice is mailed once, to every owner, with lines, period and card', async () => {
  const owner = await people.owner()
  const second = await people.member(owner, 'owner')
  const admin = await people.member(owner, 'admin')
  const off = { plan_updated: false, card_updated: false }
  await call('PATCH', '/api/notification', { token: second.token, body: off })
  expect((await choose(owner.token, 'startup_yearly')).status).toBe(200)
  await quiet()
  for (const { email } of [owner, second])
    expect(await receiptsTo(email)).toMatchObject([
      {
        data: {
          amount: '$360.00',
          number: expect.stringMatching(/-0001$/),
          day: expect.stringMatching(/^\w+ \d+, \d{4} \(UTC\)$/),
          card: 'Visa ending 4242',
          lines: [
            {
              text: expect.stringContaining('3 × '),
              amount: '$360.00',
              period: expect.stringMatching(/^\w+ \d+, \d{4}\s–\s\w+ \d+, \d{4}$/),
            },
          ],
          discount: null,
          tax: null,
          credit: null,
          url: `${services.config.publicUrl}/account/billing?tab=invoices`,
        },
      },
    ])
  expect(await receiptsTo(admin.email)).toEqual([])
  const [sent] = await sandbox.list('/v1/events', { type: 'invoice.paid' })
  await db.asOwnerOfJobs('update payment_webhooks set handled_at = null where id = $1', [String(sent?.id)])
  await services.asSystem('the same message again', tx =>
    services.enqueue(tx, 'billing.webhook', { webhook_id: String(sent?.id) }, { key: String(sent?.id) }),
  )
  await quiet()
  expect(await receiptsTo(owner.email)).toHaveLength(1)
})

test('sends no receipt for an invoice of zero, such as a trial’s', async () => {
  const owner = await people.verified()
  expect((await choose(owner.token, 'startup', freshNumber())).status).toBe(200)
  const { subscription } = await billingRows(db, owner.account_id)
  expect(subscription).toMatchObject({ status: 'trialing' })
  await quiet()
  expect(await receiptsTo(owner.email)).toEqual([])
})

test('an unknown customer gets no receipt', async () => {
  const customer = String((await sandbox.api('POST', '/v1/customers', {})).id)
  const card = await sandbox.card()
  await sandbox.api('POST', `/v1/payment_methods/${card}/attach`, { customer })
  const [price] = await sandbox.list('/v1/prices', { 'lookup_keys[0]': 'plinth_scale_base' })
  await sandbox.api('POST', '/v1/subscriptions', {
    customer,
    default_payment_method: card,
    'items[0][price]': String(price?.id),
  })
  await quiet()
  const { rows } = await db.asOwnerOfJobs("select 1 from billing_notifications_sent where kind = 'receipt'")
  expect(rows).toHaveLength(1)
})
