import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'

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

/** Prices change rarely, and a new one must be seen without a restart. */
const pricesLastMs = 60_000

/** The verbs of setting up: products, prices, the meter, promotion codes, the address for notices. All may be repeated. */
export function catalogueCalls(call: Call) {
  const kept = new Map<string, { id: string; until: number }>()

  /** Ids by lookup key, for those that exist. */
  async function priceIds(lookupKeys: string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>()
    for (const key of lookupKeys) {
      const known = kept.get(key)
      if (known && known.until > performance.now()) found.set(key, known.id)
    }
    if (found.size === lookupKeys.length) return found
    const page = await call(stripe =>
      stripe.prices.list({ lookup_keys: lookupKeys, active: true, limit: 10 }),
    )
    for (const price of page.data) {
      const key = price.lookup_key ?? ''
      found.set(key, price.id)
      kept.set(key, { id: price.id, until: performance.now() + pricesLastMs })
    }
    return found
  }

  return {
    priceIds,

    /** Forgets the prices: they were found to be wrong. */
    clearPriceCache: () => kept.clear(),

    async ensureProduct(id: string, name: string): Promise<void> {
      await call(stripe => stripe.products.create({ id, name })).catch(error => {
        if (!isPaymentsError(error, 'rejected')) throw error
      })
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
     * Makes a price unless its lookup key is taken: prices are never changed, a new one takes the key over.
     * @param anew the one that has the key is wrong; whoever pays it goes on
     */
    async ensurePrice(wanted: PriceWanted, anew = false): Promise<void> {
      const { lookupKey, product, plan, currency, interval } = wanted
      if (!anew && (await priceIds([lookupKey])).size) return
      const shared = {
        product,
        currency,
        lookup_key: lookupKey,
        metadata: { plan },
        ...(anew && { transfer_lookup_key: true }),
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
      }).catch(error => {
        // Another process has made it in this moment.
        if (!isPaymentsError(error, 'rejected')) throw error
      })
    },

    /** Makes a promotion code that takes something off once, unless its text was ever taken: one that ended stays so. */
    async ensurePromotion({ text, percentOff }: { text: string; percentOff: number }): Promise<void> {
      const known = await call(stripe => stripe.promotionCodes.list({ code: text, limit: 1 }))
      if (known.data.length) return
      const coupon = `coupon-${text.toLowerCase()}`
      const unlessTaken = (error: unknown) => {
        if (!isPaymentsError(error, 'rejected')) throw error
      }
      await call(stripe =>
        stripe.coupons.create({ id: coupon, name: text, percent_off: percentOff, duration: 'once' }),
      ).catch(unlessTaken)
      await call(stripe =>
        stripe.promotionCodes.create({ code: text, promotion: { type: 'coupon', coupon } }),
      ).catch(unlessTaken)
    },

    /** The addresses that notices go to; `fits` when one speaks the SDK's version of the API and is switched on. */
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

    removeEndpoint: (id: string): Promise<void> =>
      call(stripe => stripe.webhookEndpoints.del(id)).then(
        () => {},
        error => {
          if (!isPaymentsError(error, 'missing')) throw error
        },
      ),
  }
}
