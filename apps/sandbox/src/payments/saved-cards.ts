import { createHash } from 'node:crypto'
import { invalid, missingReference } from '../http/api-error.ts'
import type { PaymentMethod } from '../objects.ts'
import { skeleton } from '../schema/skeleton.ts'
import { make, now, type World, wallTime } from '../world.ts'
import { brandOf, cardError, cardOf, declineOf, namedCards } from './cards.ts'
import { emit, snapshot } from './events.ts'
import { customerById } from './find.ts'

export const today = (world: World) => new Date(wallTime(world) * 1000)

export function newCard(
  world: World,
  number: string,
  month: number,
  year: number,
  billing: unknown,
): PaymentMethod {
  const fingerprint = createHash('sha256').update(number).digest('hex').slice(0, 16)
  const brand = brandOf(number)
  return make<PaymentMethod>('PaymentMethod', 'pm', {
    created: wallTime(world),
    customer: null,
    type: 'card',
    metadata: {},
    billing_details: {
      address: null,
      email: null,
      name: null,
      phone: null,
      tax_id: null,
      ...(billing ?? {}),
    },
    card: Object.assign(skeleton('PaymentMethod.Card'), {
      brand,
      display_brand: brand,
      last4: number.slice(-4),
      exp_month: month,
      exp_year: year < 100 ? 2000 + year : year,
      country: 'US',
      funding: 'credit',
      fingerprint,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      networks: { available: [brand], preferred: null },
      three_d_secure_usage: { supported: true },
    }),
    _number: number,
    _setUp: false,
  })
}

/** Stripe's pm_card_… ids work everywhere a payment method does: each use makes a new one. */
export function paymentMethodById(world: World, id: string, param = 'payment_method'): PaymentMethod {
  const found = world.store.get('payment_method', id)
  if (found) return found
  const named = namedCards[id]
  if (!named) throw missingReference('PaymentMethod', id, param)
  return world.store.save(newCard(world, named, 12, today(world).getUTCFullYear() + 3, null))
}

/** The bank is asked once when a card is saved: cards that decline there never reach a customer. */
export function attach(world: World, method: PaymentMethod, customer: string) {
  if (method.customer === customer) return method
  if (method.customer !== null)
    throw invalid(
      'The payment method you provided has already been attached to a customer.',
      'payment_method',
      'payment_method_unexpected_state',
    )
  if (cardOf(method._number).behaviour === 'attach_declined') throw cardError(declineOf(method._number))
  method.customer = customer
  world.store.save(method)
  emit(world, 'payment_method.attached', method, { at: now(world, customerById(world, customer).test_clock) })
  return method
}

export function detach(world: World, method: PaymentMethod) {
  const before = snapshot(method)
  const owner = method.customer
  method.customer = null
  world.store.save(method)
  emit(world, 'payment_method.detached', method, { previous: { customer: before.customer } })
  const customer = owner === null ? undefined : world.store.get('customer', owner)
  if (customer?.invoice_settings.default_payment_method === method.id) {
    customer.invoice_settings.default_payment_method = null
    world.store.save(customer)
  }
  for (const subscription of world.store.all('subscription'))
    if (subscription.default_payment_method === method.id) {
      subscription.default_payment_method = null
      world.store.save(subscription)
    }
}
