import { type Plan, planIds, planOf } from '@plinth/contract/plans'
import type { Services } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { ensureCatalogue, productId } from './prices/catalogue.ts'
import { wantedEvents, webhookPath } from './webhooks/webhook-endpoint.ts'

type Providing = Parameters<typeof ensureCatalogue>[0]
type Payments = Services['integrations']['payments']

/**
 * Creates or checks what the product needs at the payment provider: products, prices, the meter and the
 * webhook endpoint. Can be repeated.
 * @param publicUrl address of this installation; null skips the webhook
 * @returns one sentence for each object, with the environment line of a new webhook
 */
export async function setUpBilling(services: Providing, publicUrl: string | null): Promise<string[]> {
  const { payments } = services.integrations
  const metered = paidPlans().filter(plan => plan.metered !== null)
  const meters = metered.length > 0 && (await payments.hasMeters())
  const before = await inventory(payments, meters)
  const wrong = [...wantedPrices()].flatMap(([key, price]) => {
    const found = before.prices.get(key)
    return found && !same(price, found) ? [key] : []
  })
  for (const id of before.inactive) await payments.reactivateProduct(id)
  await ensureCatalogue(services, wrong, { meters })
  // The cache may hold the old prices.
  payments.clearPriceCache()
  const after = await inventory(payments, meters)
  const { products, prices } = after
  const said: string[] = []
  const state = (id: string, had: boolean) => (had ? `${id}: exists.` : `${id}: created.`)
  for (const id of products)
    said.push(
      before.inactive.includes(id)
        ? `Product ${id}: was inactive, is active again.`
        : `Product ${state(id, before.products.includes(id))}`,
    )
  for (const [key, { id }] of prices) {
    const had = before.prices.get(key)?.id
    said.push(
      wrong.includes(key)
        ? `Price ${key}: replaced, because ${had} differs from the plan. Existing subscriptions keep it.`
        : `Price ${state(key, had === id)}`,
    )
  }
  if (!meters && metered.length > 0) {
    const names = metered.map(plan => plan.id).join(', ')
    said.push(
      `Meters: this payment server has none. The usage price of ${names} was left out, so that plan can’t be bought here.`,
    )
  }
  for (const name of after.meters) said.push(`Meter ${state(name, before.meters.includes(name))}`)
  return [...said, ...(await setUpWebhookEndpoint(payments, publicUrl))]
}

type ActivePrice = NonNullable<Awaited<ReturnType<Payments['findActivePrice']>>>
type Wanted = Pick<ActivePrice, 'currency' | 'interval' | 'amount'> & {
  tiers: readonly ActivePrice['tiers'][number][]
}

function wantedPrices(): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const { lookup_key, interval, currency, price, metered } of paidPlans()) {
    if (lookup_key) wanted.set(lookup_key, { currency, interval, amount: price, tiers: [] })
    if (metered) wanted.set(metered.lookup_key, { currency, interval, amount: null, tiers: metered.tiers })
  }
  return wanted
}

const paidPlans = (): Plan[] => planIds.map(planOf).filter(plan => plan.lookup_key !== null)

const same = (wanted: Wanted, found: ActivePrice): boolean =>
  wanted.currency === found.currency &&
  wanted.interval === found.interval &&
  wanted.amount === found.amount &&
  wanted.tiers.length === found.tiers.length &&
  wanted.tiers.every((tier, at) => {
    const other = found.tiers[at]
    // Compared as numbers: 0.20 equals 0.2.
    return (
      tier.up_to === other?.up_to && Number(tier.unit_amount_decimal) === Number(other.unit_amount_decimal)
    )
  })

async function inventory(payments: Payments, withMeters: boolean) {
  const products: string[] = []
  const inactive: string[] = []
  for (const id of paidPlans().map(productId)) {
    const isActive = await payments.isProductActive(id)
    if (isActive !== null) products.push(id)
    if (isActive === false) inactive.push(id)
  }
  const prices = new Map<string, ActivePrice>()
  for (const key of wantedPrices().keys()) {
    const price = await payments.findActivePrice(key)
    if (price) prices.set(key, price)
  }
  const meters: string[] = []
  for (const { metered } of paidPlans())
    if (withMeters && metered && (await payments.hasMeter(metered.event_name)))
      meters.push(metered.event_name)
  return { products, inactive, prices, meters }
}

async function setUpWebhookEndpoint(payments: Payments, publicUrl: string | null): Promise<string[]> {
  if (!publicUrl) return ['Webhook: skipped, because PUBLIC_URL is not set. Set it and run this again.']
  const url = publicUrl + webhookPath
  const here = (await payments.listEndpointStates()).filter(one => one.url === url)
  const old = here
    .filter(one => !one.fits)
    .map(
      one =>
        `Webhook ${url}: ${one.id} speaks another version of the provider’s API. Remove it once the line below is in place.`,
    )
  const fitting = here.find(one => one.fits)
  if (!fitting) {
    const made = await payments.createEndpoint(url, wantedEvents, newId())
    return [
      ...old,
      `Webhook ${url}: created. Put this line into the environment; it is shown only once:`,
      `STRIPE_WEBHOOK_SECRET=${made.secret}`,
    ]
  }
  const whole = fitting.on && wantedEvents.every(event => fitting.events.includes(event))
  if (!whole) await payments.enableEndpoint(fitting.id, wantedEvents)
  const secret = 'Its secret was shown when it was created; the provider’s dashboard has it too.'
  return [`Webhook ${url}: exists${whole ? '' : ', and was updated'}. ${secret}`]
}
