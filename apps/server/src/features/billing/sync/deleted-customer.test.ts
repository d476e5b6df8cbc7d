import { expect, test } from 'vitest'
import { makeTestApp } from '../../../../test/harness.ts'
import { billingRows, ownSandbox } from '../../../../test/payments.ts'
import { plansOf } from '../../../../test/plans.ts'
import { insertFormerCustomer } from '../core/customer-store.ts'
import * as store from '../core/store.ts'
import { handleWebhook } from '../webhooks/handle-webhook.ts'
import * as webhooks from '../webhooks/webhook-store.ts'

// A separate sandbox without webhooks, so that each call runs before the server sees the deletion.
const sandbox = await ownSandbox()
const made = await makeTestApp(sandbox.env)
const { db, services } = made
const { on, change, replace, upgrade, customerOf } = plansOf(made, sandbox)
const statusOf = async (account: string) => (await billingRows(db, account)).subscription?.status

test.each([
  ['PATCH /card', async (token: string) => replace(token, { token: await sandbox.card() })],
  ['PATCH /plan', (token: string) => change(token, { plan: 'startup' })],
  [
    'POST /upgrade',
    async (token: string) => upgrade(token, { plan: 'startup', token: await sandbox.card() }),
  ],
])('%s before the webhook of a deleted customer: the paid plan ends', async (_call, act) => {
  const owner = await on('scale')
  await sandbox.api('DELETE', `/v1/customers/${await customerOf(owner.account_id)}`)
  await act(owner.token)
  const { subscription } = await billingRows(db, owner.account_id)
  // Another subscription was bought by the call itself.
  const isAnother = subscription?.provider_sub_id !== owner.subscription
  expect(isAnother ? 'canceled' : subscription?.status).toBe('canceled')
})

test('a webhook about a former customer’s subscription is applied', async () => {
  const owner = await on('scale')
  const customer = await customerOf(owner.account_id)
  await services.withinAccount(owner.account_id, async tx => {
    await insertFormerCustomer(tx, {
      customer_id: customer,
      account_id: owner.account_id,
      removed_at: services.now(),
    })
    await store.updateAccount(tx, owner.account_id, { stripe_customer_id: null })
  })
  await sandbox.api('DELETE', `/v1/customers/${customer}`)
  expect(await statusOf(owner.account_id)).toBe('active')
  const id = `evt_${customer}`
  await services.asSystem('a test', tx =>
    webhooks.insertWebhook(tx, {
      ...{ id, type: 'customer.subscription.deleted', customer_id: customer },
      ...{ subscription_id: owner.subscription, object_id: owner.subscription, created_at: services.now() },
    }),
  )
  await handleWebhook(services, { webhook_id: id })
  expect(await statusOf(owner.account_id)).toBe('canceled')
})
