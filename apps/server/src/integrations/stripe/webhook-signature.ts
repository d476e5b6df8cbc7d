import type Stripe from 'stripe'

/** A verified webhook: the ids it names, without any claimed state. */
export type Webhook = {
  id: string
  type: string
  createdAt: Date
  livemode: boolean
  customerId: string | null
  subscriptionId: string | null
  /** The object it is about: a refund, a dispute, an invoice. */
  objectId: string | null
}

/** Older webhooks are treated as replays. */
const toleranceSeconds = 300

/**
 * Verifies a webhook. The signature covers the received bytes.
 * @param secrets several while one is being replaced
 * @returns null when no secret matches or the webhook is too old
 */
export function verifyWebhook(
  stripe: Stripe,
  raw: Buffer,
  signature: string,
  secrets: string[],
): Webhook | null {
  for (const secret of secrets) {
    try {
      return toNotice(stripe.webhooks.constructEvent(raw, signature, secret, toleranceSeconds))
    } catch {
      // Wrong secret, age or format.
    }
  }
  return null
}

type Loose = Record<string, unknown>
const isLoose = (value: unknown): value is Loose => typeof value === 'object' && value !== null

function toNotice(event: Stripe.Event): Webhook {
  const found: unknown = event.data.object
  const about: Loose = isLoose(found) ? found : {}
  const { id, type, created, livemode } = event
  return {
    id,
    type,
    createdAt: new Date(created * 1000),
    livemode,
    customerId: about.object === 'customer' ? textOf(about.id) : textOf(about.customer),
    subscriptionId: subscriptionOf(about),
    objectId: textOf(about.id),
  }
}

function subscriptionOf(about: Loose): string | null {
  if (about.object === 'subscription') return textOf(about.id)
  const parent = isLoose(about.parent) ? about.parent : {}
  const details = isLoose(parent.subscription_details) ? parent.subscription_details : {}
  return textOf(details.subscription)
}

/** An id, or the expanded object that has it. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return isLoose(value) && typeof value.id === 'string' ? value.id : null
}
