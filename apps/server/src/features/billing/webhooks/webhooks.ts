import type { Services } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { webhookSecrets } from './webhook-endpoint.ts'
import * as webhooks from './webhook-store.ts'

/**
 * Receives a webhook: verifies the signature of its bytes, stores it once, and lets a job handle it. Only
 * its id and the ids it names are used.
 */
export async function receiveWebhook(services: Services, raw: Buffer, signature: string) {
  const { payments } = services.integrations
  const secrets = await webhookSecrets(services)
  // Nothing can be verified without a secret; the provider retries later.
  if (secrets.length === 0) throw new Refusal('busy', { retryAfter: 30 })
  const webhook = await payments.verifyWebhook(raw, signature, secrets)
  if (!webhook || webhook.livemode !== payments.livemode) throw new Refusal('signature_wrong')
  await services.asSystem('store a webhook', async tx => {
    const isNew = await webhooks.insertWebhook(tx, {
      id: webhook.id,
      type: webhook.type,
      customer_id: webhook.customerId,
      subscription_id: webhook.subscriptionId,
      object_id: webhook.objectId,
      created_at: webhook.createdAt,
    })
    if (isNew) await services.enqueue(tx, 'billing.webhook', { webhook_id: webhook.id }, { key: webhook.id })
  })
  return { received: true }
}

/** The next run continues. */
const batchSize = 500
const unhandledAfterMs = 3_600_000

/** Requeues webhooks whose job failed for good; a waiting or running job keeps its key. */
export async function requeueWebhooks(services: Services) {
  const before = new Date(services.now().getTime() - unhandledAfterMs)
  await services.asSystem('find unhandled webhooks', async tx => {
    for (const webhook_id of await webhooks.findUnhandledWebhooks(tx, { before, limit: batchSize }))
      await services.enqueue(tx, 'billing.webhook', { webhook_id }, { key: webhook_id })
  })
}
