import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { fallbackFor } from './errors.ts'

export type PriceWanted = {
  lookupKey: string
  product: string
  plan: string
  currency: string
  interval: 'month' | 'year'
} & (
  | { unitAmount: number }
  | { meter: string; tiers: readonly { up_to: number | null; unit_amount_decimal: string }[] }
)

export type Endpoint = { id: string; url: string; fits: boolean }
export type WebhookEvent = Stripe.WebhookEndpointCreateParams.EnabledEvent

/** Prices are cached for a short time, so that a new price is used without a restart. */
const pricesLastMs = 60_000

/**
 * Calls that set up products, prices, the meter, promotion codes and webhook endpoints. All can be repeated.
 */
export function catalogueCalls(call: Call) {
  const cache = new Map<string, { id: string; until: number }>()

  /** Price ids by lookup key, for existing prices. */
  async function priceIds(lookupKeys: string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const key of lookupKeys) {
      const known = cache.get(key)
      if (known && known.until > performance.now()) found.set(key, known.id)
    }
    if (found.size === lookupKeys.length) return found
    const page = await call(stripe =>
      stripe.prices.list({ lookup_keys: lookupKeys, active: true, limit: 10 }),
    )
    for (const price of page.data) {
      const key = price.lookup_key ?? ''
      found.set(key, price.id)
      cache.set(key, { id: price.id, until: performance.now() + pricesLastMs })
    }
    return found
  }

  return {
    priceIds,

    /** Clears the cache after an outdated price was rejected. */
    clearPriceCache: () => cache.clear(),

    async ensureProduct(id: string, name: string): Promise<void> {
      await call(stripe => stripe.products.create({ id, name })).catch(fallbackFor(null, 'rejected'))
    },

    async ensureMeter(eventName: string, name: string): Promise<string> {
      const find = async () => {
        const page = await call(stripe => stripe.billing.meters.list({ status: 'active', limit: 100 }))
        return page.data.find(meter => meter.event_name === eventName)?.id
      }
      const known = await find()
      if (known) return known
      const customer_mapping = { type: 'by_id' as const, event_payload_key: 'stripe_customer_id' }
      return call(async stripe => {
        const params = {
          display_name: name,
          event_name: eventName,
          default_aggregation: { formula: 'sum' as const },
          customer_mapping,
          value_settings: { event_payload_key: 'value' },
        }
        return (await stripe.billing.meters.create(params, { idempotencyKey: `meter:${eventName}` })).id
      })
    },

    /**
     * Creates a price unless its lookup key exists. Prices never change: a new one takes the key over.
     * @param replace the price with this key is wrong; existing subscriptions keep it
     */
    async ensurePrice(wanted: PriceWanted, replace = false): Promise<void> {
      const { lookupKey, product, plan, currency, interval } = wanted
      if (!replace && (await priceIds([lookupKey])).size) return
      const shared = {
        product,
        currency,
        lookup_key: lookupKey,
        metadata: { plan },
        ...(replace && { transfer_lookup_key: true }),
      }
      await call(stripe => {
        if ('unitAmount' in wanted) {
          return stripe.prices.create({
            ...shared,
            unit_amount: wanted.unitAmount,
            recurring: { interval },
          })
        }
        const tiers = wanted.tiers.map(tier => ({
          up_to: tier.up_to ?? ('inf' as const),
          unit_amount_decimal: stripe.Decimal.from(tier.unit_amount_decimal),
        }))
        const recurring = { interval, usage_type: 'metered' as const, meter: wanted.meter }
        return stripe.prices.create({
          ...shared,
          billing_scheme: 'tiered',
          tiers_mode: 'graduated',
          tiers,
          recurring,
        })
      })
        // Another process has just created it.
        .catch(fallbackFor(null, 'rejected'))
    },

    /** Creates a one-time promotion code unless its text was ever used: an ended code stays ended. */
    async ensurePromotion({ text, percentOff }: { text: string; percentOff: number }): Promise<void> {
      const known = await call(stripe => stripe.promotionCodes.list({ code: text, limit: 1 }))
      if (known.data.length) return
      const coupon = `coupon-${text.toLowerCase()}`
      const unlessTaken = fallbackFor(null, 'rejected')
      await call(stripe =>
        stripe.coupons.create({ id: coupon, name: text, percent_off: percentOff, duration: 'once' }),
      ).catch(unlessTaken)
      await call(stripe =>
        stripe.promotionCodes.create({ code: text, promotion: { type: 'coupon', coupon } }),
      ).catch(unlessTaken)
    },

    /** Webhook endpoints; `fits` means enabled, with the API version of the SDK. */
    listEndpoints: (): Promise<Endpoint[]> =>
      call(async stripe => {
        const page = await stripe.webhookEndpoints.list({ limit: 100 })
        const version = stripe.getApiField('version')
        return page.data.map(({ id, url, api_version, status }) => ({
          id,
          url,
          fits: api_version === version && status === 'enabled',
        }))
      }),

    /** @returns the signing secret, which the provider tells only here */
    createEndpoint: (
      url: string,
      events: WebhookEvent[],
      key: string,
    ): Promise<{ id: string; secret: string }> =>
      call(async stripe => {
        const api_version = stripe.getApiField('version') as Stripe.WebhookEndpointCreateParams.ApiVersion // as: the SDK's own, which its list of versions ends with
        const made = await stripe.webhookEndpoints.create(
          { url, enabled_events: events, api_version },
          { idempotencyKey: key },
        )
        return { id: made.id, secret: made.secret ?? '' }
      }),

    async removeEndpoint(id: string): Promise<void> {
      await call(stripe => stripe.webhookEndpoints.del(id)).catch(fallbackFor(null, 'missing'))
    },
  }
}
