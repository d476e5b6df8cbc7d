import type { Services } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { webhookSecrets } from './webhook-endpoint.ts'
import * as webhooks from './webhook-store.ts'

/**
 * Takes a message of the payment provider: verified over its bytes, kept once, handled by a job. Nothing but its id
 * and whom it concerns is believed (T-60).
 */
export async function receiveWebhook(services: Services, raw: Buffer, signature: string) {
  const { payments } = services.outside
  const secrets = await webhookSecrets(services)
  // Without a secret nothing can be verified; the provider sends it again later.
  if (secrets.length === 0) throw new Refusal('busy', { retryAfter: 30 })
  const notice = await payments.verifyWebhook(raw, signature, secrets)
  if (!notice || notice.livemode !== payments.livemode) throw new Refusal('signature_wrong')
  await services.asSystem('a notice of the payment provider', async tx => {
    const isNew = await webhooks.insertWebhook(tx, {
      id: notice.id,
      type: notice.type,
      customer_id: notice.customerId,
      subscription_id: notice.subscriptionId,
      object_id: notice.objectId,
      created_at: notice.createdAt,
    })
    if (isNew) await services.enqueue(tx, 'billing.notice', { notice_id: notice.id }, { key: notice.id })
  })
  return { received: true }
}

/** Enough at once: the next sweep takes the next ones. */
const takenUpAtOnce = 500
const forgottenAfterMs = 3_600_000

/** A message whose job has come to nothing gets a new one; one that still waits or runs keeps its own. */
export async function requeueWebhooks(services: Services) {
  const before = new Date(services.now().getTime() - forgottenAfterMs)
  await services.asSystem('notices that nobody has handled', async tx => {
    for (const notice_id of await webhooks.findUnhandledWebhooks(tx, { before, limit: takenUpAtOnce }))
      await services.enqueue(tx, 'billing.notice', { notice_id }, { key: notice_id })
  })
}
