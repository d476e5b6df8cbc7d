import type Stripe from 'stripe'
import { invalid, missingReference } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { includes, page, wholeList } from '../http/wire.ts'
import { randomText } from '../ids.ts'
import type { Customer } from '../objects.ts'
import { make, now, type World } from '../world.ts'
import { emit, saveChanged, snapshot } from './events.ts'
import { customerById } from './find.ts'
import { assign, mergeMetadata, wholeAddress } from './params.ts'
import { attach, detach, paymentMethodById } from './saved-cards.ts'
import { cancelNow } from './subscription-life.ts'

includes('customer.subscriptions', (world, id) => {
  const ended = ['canceled', 'incomplete_expired']
  const rows = world.store
    .all('subscription')
    .filter(one => one.customer === id && !ended.includes(one.status))
  return wholeList(rows.reverse(), `/v1/customers/${id}/subscriptions`)
})

function setDefaultMethod(
  world: World,
  customer: Customer,
  input: Stripe.CustomerUpdateParams['invoice_settings'],
) {
  const wanted = input?.default_payment_method
  if (wanted === undefined) return
  if (!wanted) {
    customer.invoice_settings.default_payment_method = null
    return
  }
  const method = paymentMethodById(world, wanted, 'invoice_settings[default_payment_method]')
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
  assign(customer, params, plainFields)
  for (const name of otherFields)
    if (params[name] !== undefined) Object.assign(customer, { [name]: params[name] })
  const { address, shipping } = params
  if (address !== undefined) customer.address = wholeAddress(address)
  if (shipping !== undefined)
    Object.assign(customer, {
      shipping: shipping ? { phone: null, ...shipping, address: wholeAddress(shipping.address) } : null,
    })
  customer.metadata = mergeMetadata(customer.metadata, params.metadata)
}

/** A customer that is not stored yet: to be, or one that a preview supposes. */
export function composeCustomer(world: World, params: Stripe.CustomerCreateParams): Customer {
  const clock = params.test_clock ?? null
  if (clock !== null && !world.store.get('test_helpers.test_clock', clock))
    throw missingReference('test clock', clock, 'test_clock')
  const customer = make<Customer>('Customer', 'cus', {
    created: now(world, clock),
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

route<Stripe.CustomerCreateParams>('POST', '/v1/customers', 'CustomerCreateParams', ({ world, params }) => {
  const customer = composeCustomer(world, params)
  world.store.save(customer)
  try {
    if (params.payment_method) attach(world, paymentMethodById(world, params.payment_method), customer.id)
    setDefaultMethod(world, customer, params.invoice_settings)
  } catch (error) {
    world.store.remove('customer', customer.id)
    throw error
  }
  emit(world, 'customer.created', customer)
  return customer
})

route('GET', '/v1/customers/:id', 'CustomerRetrieveParams', ({ world, id }) => {
  const customer = world.store.get('customer', id)
  if (customer?.deleted) return { id, object: 'customer', deleted: true }
  return customerById(world, id)
})

route<Stripe.CustomerListParams>('GET', '/v1/customers', 'CustomerListParams', ({ world, params, path }) => {
  const { email, test_clock: clock } = params
  const rows = world.store
    .all('customer')
    .filter(
      one => !one.deleted && (!email || one.email === email) && (clock ? one.test_clock === clock : true),
    )
  return page(rows, path, params)
})

route<Stripe.CustomerUpdateParams>(
  'POST',
  '/v1/customers/:id',
  'CustomerUpdateParams',
  ({ world, params, id }) => {
    const customer = customerById(world, id)
    const before = snapshot(customer)
    setDefaultMethod(world, customer, params.invoice_settings)
    applyFields(customer, params)
    saveChanged(world, 'customer.updated', customer, before)
    return customer
  },
)

/** Ends what the customer still has, then leaves a tombstone: ids of deleted customers stay known. */
export function deleteCustomer(world: World, customer: Customer) {
  for (const subscription of world.store.all('subscription'))
    if (subscription.customer === customer.id && !subscription.ended_at)
      cancelNow(world, subscription, 'cancellation_requested')
  for (const method of world.store.all('payment_method'))
    if (method.customer === customer.id) detach(world, method)
  emit(world, 'customer.deleted', customer)
  customer.deleted = true
  world.store.save(customer)
}

route('DELETE', '/v1/customers/:id', 'CustomerDeleteParams', ({ world, id }) => {
  deleteCustomer(world, customerById(world, id))
  return { id, object: 'customer', deleted: true }
})
