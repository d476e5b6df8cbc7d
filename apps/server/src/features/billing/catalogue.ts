import { type Plan, planIds, planOf } from '@plinth/contract/plans'
import type { World } from '../../context.ts'
import { must } from '../../lib/must.ts'

const productId = (plan: Plan) => `plinth_${plan.id}`

/**
 * Makes products, prices and the meter at the provider where they are missing; what is there stays as it is. The
 * sandbox gets them by itself; for real keys somebody says so once.
 */
export async function ensureCatalogue(world: World): Promise<void> {
  const { payments } = world.outside
  for (const id of planIds) {
    const plan = planOf(id)
    const { lookup_key, interval, currency, metered } = plan
    if (!lookup_key || !interval) continue
    const shared = { product: productId(plan), plan: id, currency, interval }
    await payments.ensureProduct(shared.product, `Plinth ${id.replace('_', ' ')}`)
    await payments.ensurePrice({ ...shared, lookupKey: lookup_key, unitAmount: plan.price })
    if (!metered) continue
    const meter = await payments.ensureMeter(metered.event_name, `Plinth ${id} usage`)
    await payments.ensurePrice({ ...shared, lookupKey: metered.lookup_key, meter, tiers: metered.tiers })
  }
}

/** Price ids of a plan, by lookup key; no id stands in the code. A sandbox that was emptied is filled again. */
export async function pricesOf(world: World, plan: Plan): Promise<{ base: string; metered: string | null }> {
  const { payments } = world.outside
  const base = must(plan.lookup_key, `a price of plan ${plan.id}`)
  const keys = plan.metered ? [base, plan.metered.lookup_key] : [base]
  let found = await payments.priceIds(keys)
  if (found.size < keys.length && world.config.payments.sandboxUrl) {
    await ensureCatalogue(world)
    found = await payments.priceIds(keys)
  }
  const metered = plan.metered
    ? must(found.get(plan.metered.lookup_key), `the price ${plan.metered.lookup_key}`)
    : null
  return { base: must(found.get(base), `the price ${base}`), metered }
}
