import type Stripe from 'stripe'
import type { WebhookEvent } from './catalogue.ts'
import type { Call } from './client.ts'
import { fallbackFor } from './errors.ts'

/** A price at the provider; amounts in minor units, tiers as our plans write them. */
export type ActivePrice = {
  id: string
  currency: string
  interval: string | null
  amount: number | null
  tiers: { up_to: number | null; unit_amount_decimal: string }[]
}
export type EndpointState = { id: string; url: string; fits: boolean; on: boolean; events: string[] }

/** Calls that check and repair the setup. */
export function setupCalls(call: Call) {
  return {
    /** Whether a product is active; null when it does not exist. */
    isProductActive: (id: string): Promise<boolean | null> =>
      call(async stripe => (await stripe.products.retrieve(id)).active).catch(fallbackFor(null, 'missing')),

    reactivateProduct: (id: string): Promise<void> =>
      call(async stripe => {
        await stripe.products.update(id, { active: true })
      }),

    /** The active price with this lookup key. */
    findActivePrice: (lookupKey: string): Promise<ActivePrice | null> =>
      call(async stripe => {
        const expand = ['data.tiers']
        const page = await stripe.prices.list({ lookup_keys: [lookupKey], active: true, limit: 1, expand })
        return page.data[0] ? toPrice(page.data[0]) : null
      }),

    /** Whether the server supports meters; a mock server may not. */
    hasMeters: (): Promise<boolean> =>
      call(async stripe => Array.isArray((await stripe.billing.meters.list({ limit: 1 })).data)).catch(
        fallbackFor(false, 'rejected', 'missing'),
      ),

    hasMeter: (eventName: string): Promise<boolean> =>
      call(async stripe => {
        const page = await stripe.billing.meters.list({ status: 'active', limit: 100 })
        return page.data.some(meter => meter.event_name === eventName)
      }),

    listEndpointStates: (): Promise<EndpointState[]> =>
      call(async stripe => {
        const version = stripe.getApiField('version')
        const page = await stripe.webhookEndpoints.list({ limit: 100 })
        return page.data.map(({ id, url, api_version, status, enabled_events }) => ({
          id,
          url,
          fits: api_version === version,
          on: status === 'enabled',
          events: enabled_events,
        }))
      }),

    /** Enables an endpoint for these events. */
    enableEndpoint: (id: string, events: WebhookEvent[]): Promise<void> =>
      call(async stripe => {
        await stripe.webhookEndpoints.update(id, { enabled_events: events, disabled: false })
      }),
  }
}

const toPrice = ({ id, currency, recurring, unit_amount, tiers }: Stripe.Price): ActivePrice => ({
  id,
  currency,
  interval: recurring?.interval ?? null,
  amount: unit_amount,
  tiers: (tiers ?? []).map(tier => ({
    up_to: tier.up_to,
    unit_amount_decimal: String(tier.unit_amount_decimal ?? tier.unit_amount ?? 0),
  })),
})
