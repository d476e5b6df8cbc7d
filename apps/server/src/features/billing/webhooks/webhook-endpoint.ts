import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import type { WebhookEvent } from '../../../integrations/stripe/payments.ts'
import { newId } from '../../../lib/ids.ts'

/** Events that trigger a read. The state itself is always read from the provider. */
export const wantedEvents: WebhookEvent[] = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.trial_will_end',
  'customer.subscription.pending_update_applied',
  'customer.subscription.pending_update_expired',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.automatically_updated',
  'customer.updated',
  'customer.deleted',
  'refund.created',
  'credit_note.created',
  'charge.dispute.created',
  'charge.dispute.closed',
]

export const webhookPath = '/api/stripe/webhook'

const storedEndpoint = z.object({ id: z.string(), secret: z.string() })
type StoredEndpoint = z.infer<typeof storedEndpoint>
const purpose = 'webhook endpoint'
const fileOf = (services: Services) => join(services.config.dataDir, 'webhook-endpoint')

/** Null when there is none, or when it was encrypted with another secret: then a new one is created. */
async function readStored(services: Services): Promise<StoredEndpoint | null> {
  try {
    return storedEndpoint.parse(
      JSON.parse(services.encrypter.decrypt(await readFile(fileOf(services), 'utf8'), purpose)),
    )
  } catch {
    return null // A new endpoint can always be created.
  }
}

/** Secrets that a webhook may be signed with: several, separated by commas, while one is being replaced. */
export async function webhookSecrets(services: Services): Promise<string[]> {
  const { webhookSecret } = services.config.payments
  if (webhookSecret) return webhookSecret.split(/[\s,]+/).filter(Boolean)
  const endpoint = await readStored(services)
  return endpoint ? [endpoint.secret] : []
}

/**
 * Registers the webhook endpoint at the sandbox, and stores its secret encrypted in the data folder, so that
 * webhooks sent around a restart stay valid.
 * @param base address of this server without a path
 */
export async function ensureWebhookEndpoint(services: Services, base: string): Promise<void> {
  if (services.config.payments.webhookSecret) return
  const { payments } = services.integrations
  const url = base + webhookPath
  const [known, standing] = await Promise.all([readStored(services), payments.listEndpoints()])
  const here = standing.filter(one => one.url === url)
  if (here.some(one => one.id === known?.id && one.fits)) return
  const made = await payments.createEndpoint(url, wantedEvents, newId())
  const file = fileOf(services)
  await writeFile(`${file}.new`, services.encrypter.encrypt(JSON.stringify(made), purpose), { mode: 0o600 })
  await rename(`${file}.new`, file)
  for (const old of here) await payments.removeEndpoint(old.id)
}
