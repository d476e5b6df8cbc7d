import { createHash } from 'node:crypto'
import { currentTime, newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missingReference } from '../../http/api-error.ts'
import type { Customer, PaymentMethod } from '../../objects/billing-objects.ts'
import { emptyStripeObject } from '../../schema/empty-object.ts'
import { emitEvent, snapshot } from '../events/emit-event.ts'
import { customerById } from '../find-by-id.ts'
import { brandOf, cardError, declineError, namedCards, testCardOf } from './test-cards.ts'

export const currentDate = (context: SandboxContext) => new Date(sandboxTime(context) * 1000)

export function newCard(context: SandboxContext, number: string, month: number, year: number): PaymentMethod {
  const fingerprint = createHash('sha256').update(number).digest('hex').slice(0, 16)
  const brand = brandOf(number)
  return newObject<PaymentMethod>('PaymentMethod', 'pm', {
    created: sandboxTime(context),
    type: 'card',
    metadata: {},
    card: Object.assign(emptyStripeObject('PaymentMethod.Card'), {
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

export const newNamedCard = (context: SandboxContext, number: string) =>
  newCard(context, number, 12, currentDate(context).getUTCFullYear() + 3)

/** Stripe's pm_card_… ids are accepted too: each use creates a new payment method. */
export function paymentMethodById(
  context: SandboxContext,
  id: string,
  param = 'payment_method',
): PaymentMethod {
  const found = context.store.get('payment_method', id)
  if (found) return found
  const named = namedCards[id]
  if (!named) throw missingReference('PaymentMethod', id, param)
  return context.store.save(newNamedCard(context, named))
}

/** A card that is attached to this customer. */
export function ownMethod(
  context: SandboxContext,
  id: string,
  customer: Customer,
  param: string,
): PaymentMethod {
  const method = paymentMethodById(context, id, param)
  if (method.customer !== customer.id)
    throw invalid(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      param,
      'resource_missing',
    )
  return method
}

/** Attaches a card to a customer, unless the bank declines it. */
export function attachCard(context: SandboxContext, method: PaymentMethod, customer: string) {
  if (method.customer === customer) return method
  if (method.customer !== null)
    throw invalid(
      'The payment method you provided has already been attached to a customer.',
      'payment_method',
      'payment_method_unexpected_state',
    )
  if (testCardOf(method._number).behaviour === 'attach_declined')
    throw cardError(declineError(method._number))
  method.customer = customer
  context.store.save(method)
  emitEvent(context, 'payment_method.attached', method, {
    at: currentTime(context, customerById(context, customer).test_clock),
  })
  return method
}

export function detachCard(context: SandboxContext, method: PaymentMethod) {
  const before = snapshot(method)
  const owner = method.customer
  method.customer = null
  context.store.save(method)
  emitEvent(context, 'payment_method.detached', method, { previous: { customer: before.customer } })
  const customer = owner === null ? undefined : context.store.get('customer', owner)
  if (customer?.invoice_settings.default_payment_method === method.id) {
    customer.invoice_settings.default_payment_method = null
    context.store.save(customer)
  }
  for (const subscription of context.store.all('subscription'))
    if (subscription.default_payment_method === method.id) {
      subscription.default_payment_method = null
      context.store.save(subscription)
    }
}
