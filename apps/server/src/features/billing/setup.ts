import { type Plan, planIds, planOf } from '@plinth/contract/plans'
import type { Services } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { ensureCatalogue, productId } from './prices/catalogue.ts'
import { wantedEvents, webhookPath } from './webhooks/webhook-endpoint.ts'

type Providing = Parameters<typeof ensureCatalogue>[0]
type Payments = Services['outside']['payments']

/**
 * Makes what the product needs in an account of the payment provider, or checks it: products, prices, the meter and
 * the address for messages. May be run as often as one likes.
 * @param publicUrl where the provider reaches this installation; null leaves the address for messages out
 * @returns what was done, in sentences; where an address was made, with the line for the environment
 */
export async function setUpBilling(services: Providing, publicUrl: string | null): Promise<string[]> {
  const { payments } = services.outside
  const metered = sold().filter(plan => plan.metered !== null)
  const meters = metered.length > 0 && (await payments.hasMeters())
  const before = await inventory(payments, meters)
  const wrong = [...wantedPrices()].flatMap(([key, price]) => {
    const found = before.prices.get(key)
    return found && !same(price, found) ? [key] : []
  })
  for (const id of before.asleep) await payments.reactivateProduct(id)
  await ensureCatalogue(services, wrong, { meters })
  // Kept for a minute, and no longer right.
  payments.clearPriceCache()
  const after = await inventory(payments, meters)
  const { products, prices } = after
  const said: string[] = []
  const state = (id: string, had: boolean) => (had ? `${id}: there already.` : `${id}: made.`)
  for (const id of products)
    said.push(
      before.asleep.includes(id)
        ? `Product ${id}: was put away, is sold again.`
        : `Product ${state(id, before.products.includes(id))}`,
    )
  for (const [key, { id }] of prices) {
    const had = before.prices.get(key)?.id
    said.push(
      wrong.includes(key)
        ? `Price ${key}: made anew, because ${had} is another one. Who pays that goes on paying it.`
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

type Standing = NonNullable<Awaited<ReturnType<Payments['findActivePrice']>>>
type Wanted = Pick<Standing, 'currency' | 'interval' | 'amount'> & {
  tiers: readonly Standing['tiers'][number][]
}

function wantedPrices(): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>()
  for (const { lookup_key, interval, currency, price, metered } of sold()) {
    if (lookup_key) wanted.set(lookup_key, { currency, interval, amount: price, tiers: [] })
    if (metered) wanted.set(metered.lookup_key, { currency, interval, amount: null, tiers: metered.tiers })
  }
  return wanted
}

const sold = (): Plan[] => planIds.map(planOf).filter(plan => plan.lookup_key !== null)

const same = (wanted: Wanted, found: Standing): boolean =>
  wanted.currency === found.currency &&
  wanted.interval === found.interval &&
  wanted.amount === found.amount &&
  wanted.tiers.length === found.tiers.length &&
  wanted.tiers.every((tier, at) => {
    const other = found.tiers[at]
    // 0.20 is 0.2.
    return (
      tier.up_to === other?.up_to && Number(tier.unit_amount_decimal) === Number(other.unit_amount_decimal)
    )
  })

async function inventory(payments: Payments, withMeters: boolean) {
  const products: string[] = []
  const asleep: string[] = []
  for (const id of sold().map(productId)) {
    const stands = await payments.isProductActive(id)
    if (stands !== null) products.push(id)
    if (stands === false) asleep.push(id)
  }
  const prices = new Map<string, Standing>()
  for (const key of wantedPrices().keys()) {
    const standing = await payments.findActivePrice(key)
    if (standing) prices.set(key, standing)
  }
  const meters: string[] = []
  for (const { metered } of sold())
    if (withMeters && metered && (await payments.hasMeter(metered.event_name)))
      meters.push(metered.event_name)
  return { products, asleep, prices, meters }
}

async function setUpWebhookEndpoint(payments: Payments, publicUrl: string | null): Promise<string[]> {
  if (!publicUrl) return ['Webhook: not looked at, because PUBLIC_URL is not set. Set it and run this again.']
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
      `Webhook ${url}: made. Put this line into the environment; nobody shows it again:`,
      `STRIPE_WEBHOOK_SECRET=${made.secret}`,
    ]
  }
  const whole = fitting.on && wantedEvents.every(event => fitting.events.includes(event))
  if (!whole) await payments.enableEndpoint(fitting.id, wantedEvents)
  const secret = 'Its secret was shown when it was made; the provider’s dashboard has it, too.'
  return [`Webhook ${url}: there already${whole ? '' : ', and put right'}. ${secret}`]
}
