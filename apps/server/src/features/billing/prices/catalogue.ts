import { type Plan, type PlanId, planIds, planOf } from '@plinth/contract/plans'
import type { Services } from '../../../context.ts'
import { translate } from '../../../lib/i18n.ts'
import { invariant } from '../../../lib/invariant.ts'
import { Refusal } from '../../../lib/refusal.ts'

export const productId = (plan: Plan) => `plinth_${plan.id}`

/**
 * Creates missing products, prices and the meter at the provider. Runs by itself with the sandbox; for real
 * keys the operator runs `npm run billing:setup`.
 * @param wrong lookup keys of prices that differ from our plans: these get new prices
 * @param meters false leaves metered prices out
 */
export async function ensureCatalogue(
  services: { integrations: Pick<Services['integrations'], 'payments'> },
  wrong: readonly string[] = [],
  { meters = true } = {},
): Promise<void> {
  const { payments } = services.integrations
  for (const id of planIds) {
    const plan = planOf(id)
    const { lookup_key, interval, currency, metered } = plan
    if (!lookup_key || !interval) continue
    const shared = { product: productId(plan), plan: id, currency, interval }
    // Invoices and receipts show this name.
    const name = `Plinth ${translate('en', `plans.${id}`)}`
    await payments.ensureProduct(shared.product, name)
    const base = { ...shared, lookupKey: lookup_key, unitAmount: plan.price }
    await payments.ensurePrice(base, wrong.includes(lookup_key))
    if (!metered || !meters) continue
    const meter = await payments.ensureMeter(metered.event_name, `${name} usage`)
    const usage = { ...shared, lookupKey: metered.lookup_key, meter, tiers: metered.tiers }
    await payments.ensurePrice(usage, wrong.includes(metered.lookup_key))
  }
}

export type FirstItems = { price: string; quantity?: number }[]

/** The items of a new subscription. Metered usage has no quantity: the meter counts it. */
export async function firstItems(services: Services, plan: Plan, seats: number): Promise<FirstItems> {
  const { base, metered } = await pricesOf(services, plan)
  return [{ price: base, quantity: seats }, ...(metered ? [{ price: metered }] : [])]
}

/** Finds the price ids of a plan by lookup key. Fills a sandbox that was reset. */
export async function pricesOf(
  services: Services,
  plan: Plan,
): Promise<{ base: string; metered: string | null }> {
  const { payments } = services.integrations
  const base = invariant(plan.lookup_key, `a price of plan ${plan.id}`)
  const keys = plan.metered ? [base, plan.metered.lookup_key] : [base]
  let found = await payments.priceIds(keys)
  if (found.size < keys.length && services.config.payments.sandboxUrl) {
    await ensureCatalogue(services)
    found = await payments.priceIds(keys)
  }
  const priceOf = (key: string) => found.get(key) ?? missing(services, key)
  return { base: priceOf(base), metered: plan.metered && priceOf(plan.metered.lookup_key) }
}

export type PriceOf = { plan: PlanId; metered: boolean }

/** All current prices, by their ids at the provider. */
export async function priceNames(services: Services): Promise<Map<string, PriceOf>> {
  const keyed = planIds.flatMap(id => {
    const { lookup_key, metered } = planOf(id)
    return [
      ...(lookup_key ? [{ key: lookup_key, of: { plan: id, metered: false } }] : []),
      ...(metered ? [{ key: metered.lookup_key, of: { plan: id, metered: true } }] : []),
    ]
  })
  const ids = await services.integrations.payments.priceIds(keyed.map(({ key }) => key))
  return new Map(
    keyed.flatMap(({ key, of }) => {
      const id = ids.get(key)
      return id ? [[id, of] as const] : []
    }),
  )
}

/** The payment account is not set up yet: the user is asked to try later. */
function missing(services: Services, key: string): never {
  services.log.error({ lookup_key: key }, 'the payment account has no such price: run npm run billing:setup')
  throw new Refusal('payment_provider_down', { retryAfter: 60 })
}
