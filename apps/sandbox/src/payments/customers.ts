import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext } from '../context.ts'
import { invalid, missingReference } from '../http/api-error.ts'
import { completeList, paginate, registerExpandable } from '../http/render-object.ts'
import { route } from '../http/route.ts'
import type { Customer } from '../objects/billing-objects.ts'
import { randomText } from '../objects/ids.ts'
import { attachCard, detachCard, paymentMethodById } from './cards/saved-cards.ts'
import { emitEvent, saveAndEmit, snapshot } from './events/emit-event.ts'
import { customerById } from './find-by-id.ts'
import { assignFields, completeAddress, mergeMetadata } from './params.ts'
import { cancelSubscription } from './subscriptions/subscription-lifecycle.ts'

registerExpandable('customer.subscriptions', (context, id) => {
  const ended = ['canceled', 'incomplete_expired']
  const rows = context.store
    .all('subscription')
    .filter(one => one.customer === id && !ended.includes(one.status))
  return completeList(rows.reverse(), `/v1/customers/${id}/subscriptions`)
})

function setDefaultMethod(
  context: SandboxContext,
  customer: Customer,
  input: Stripe.CustomerUpdateParams['invoice_settings'],
) {
  const wanted = input?.default_payment_method
  if (wanted === undefined) return
  if (!wanted) {
    customer.invoice_settings.default_payment_method = null
    return
  }
  const method = paymentMethodById(context, wanted, 'invoice_settings[default_payment_method]')
  if (method.customer !== customer.id)
    throw invalid(
      `The customer does not have a payment method with the ID ${wanted}. The payment method must be attached to the customer.`,
      'invoice_settings[default_payment_method]',
      'resource_missing',
    )
  customer.invoice_settings.default_payment_method = method.id
}

const plainFields = ['email', 'name', 'phone', 'balance'] as const
const otherFields = ['description', 'preferred_locales', 'tax_exempt'] as const

function applyFields(customer: Customer, params: Stripe.CustomerCreateParams | Stripe.CustomerUpdateParams) {
  assignFields(customer, params, plainFields)
  for (const name of otherFields)
    if (params[name] !== undefined) Object.assign(customer, { [name]: params[name] })
  const { address, shipping } = params
  if (address !== undefined) customer.address = completeAddress(address)
  if (shipping !== undefined)
    Object.assign(customer, {
      shipping: shipping ? { phone: null, ...shipping, address: completeAddress(shipping.address) } : null,
    })
  customer.metadata = mergeMetadata(customer.metadata, params.metadata)
}

/** A customer that is not stored, for a create call or a preview. */
export function buildCustomer(context: SandboxContext, params: Stripe.CustomerCreateParams): Customer {
  const clock = params.test_clock ?? null
  if (clock !== null && !context.store.get('test_helpers.test_clock', clock))
    throw missingReference('test clock', clock, 'test_clock')
  const customer = newObject<Customer>('Customer', 'cus', {
    created: currentTime(context, clock),
    delinquent: false,
    email: null,
    name: null,
    phone: null,
    address: null,
    metadata: {},
    invoice_prefix: params.invoice_prefix ?? randomText(8).toUpperCase(),
    next_invoice_sequence: 1,
    test_clock: clock,
  })
  Object.assign(customer, { preferred_locales: [], tax_exempt: 'none' })
  applyFields(customer, params)
  return customer
}

route<Stripe.CustomerCreateParams>('POST', '/v1/customers', 'CustomerCreateParams', ({ context, params }) => {
  const customer = buildCustomer(context, params)
  context.store.save(customer)
  try {
    if (params.payment_method)
      attachCard(context, paymentMethodById(context, params.payment_method), customer.id)
    setDefaultMethod(context, customer, params.invoice_settings)
  } catch (error) {
    context.store.remove('customer', customer.id)
    throw error
  }
  emitEvent(context, 'customer.created', customer)
  return customer
})

route('GET', '/v1/customers/:id', 'CustomerRetrieveParams', ({ context, id }) => {
  const customer = context.store.get('customer', id)
  if (customer?.deleted) return { id, object: 'customer', deleted: true }
  return customerById(context, id)
})

route<Stripe.CustomerListParams>(
  'GET',
  '/v1/customers',
  'CustomerListParams',
  ({ context, params, path }) => {
    const { email, test_clock: clock } = params
    const rows = context.store
      .all('customer')
      .filter(
        one => !one.deleted && (!email || one.email === email) && (clock ? one.test_clock === clock : true),
      )
    return paginate(rows, path, params)
  },
)

route<Stripe.CustomerUpdateParams>(
  'POST',
  '/v1/customers/:id',
  'CustomerUpdateParams',
  ({ context, params, id }) => {
    const customer = customerById(context, id)
    const before = snapshot(customer)
    setDefaultMethod(context, customer, params.invoice_settings)
    applyFields(customer, params)
    saveAndEmit(context, 'customer.updated', customer, before)
    return customer
  },
)

/** Cancels subscriptions, detaches cards and marks the customer as deleted. The id stays known. */
export function deleteCustomer(context: SandboxContext, customer: Customer) {
  for (const subscription of context.store.all('subscription'))
    if (subscription.customer === customer.id && !subscription.ended_at)
      cancelSubscription(context, subscription, 'cancellation_requested')
  for (const method of context.store.all('payment_method'))
    if (method.customer === customer.id) detachCard(context, method)
  emitEvent(context, 'customer.deleted', customer)
  customer.deleted = true
  context.store.save(customer)
}

route('DELETE', '/v1/customers/:id', 'CustomerDeleteParams', ({ context, id }) => {
  deleteCustomer(context, customerById(context, id))
  return { id, object: 'customer', deleted: true }
})
