import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Services } from '../../../context.ts'
import type { WebhookEvent } from '../../../integrations/stripe/payments.ts'
import { newId } from '../../../lib/ids.ts'

/** What we want to be told. The state itself is always read anew, so these only say when to look. */
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

const kept = z.object({ id: z.string(), secret: z.string() })
type Kept = z.infer<typeof kept>
const bound = 'webhook endpoint'
const fileOf = (services: Services) => join(services.config.dataDir, 'webhook-endpoint')

/** Null when there is none yet, or it was sealed under a secret that is gone: then a new one is made. */
async function readKept(services: Services): Promise<Kept | null> {
  try {
    return kept.parse(JSON.parse(services.encrypter.decrypt(await readFile(fileOf(services), 'utf8'), bound)))
  } catch {
    return null // The provider can always be asked for another endpoint.
  }
}

/** Secrets that a notice may be signed with; several, separated by commas, while one is being replaced. */
export async function webhookSecrets(services: Services): Promise<string[]> {
  const { webhookSecret } = services.config.payments
  if (webhookSecret) return webhookSecret.split(/[\s,]+/).filter(Boolean)
  const endpoint = await readKept(services)
  return endpoint ? [endpoint.secret] : []
}

/**
 * Tells the sandbox where notices go, and keeps the secret it answers with, sealed, in the data folder: notices
 * that were on their way when either side stopped still fit after the start.
 * @param base where the sandbox reaches this server, without a path
 */
export async function ensureWebhookEndpoint(services: Services, base: string): Promise<void> {
  if (services.config.payments.webhookSecret) return
  const { payments } = services.outside
  const url = base + webhookPath
  const [known, standing] = await Promise.all([readKept(services), payments.listEndpoints()])
  const here = standing.filter(one => one.url === url)
  if (here.some(one => one.id === known?.id && one.fits)) return
  const made = await payments.createEndpoint(url, wantedEvents, newId())
  const file = fileOf(services)
  await writeFile(`${file}.new`, services.encrypter.encrypt(JSON.stringify(made), bound), { mode: 0o600 })
  await rename(`${file}.new`, file)
  for (const old of here) await payments.removeEndpoint(old.id)
}
