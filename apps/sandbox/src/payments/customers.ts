import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext } from '../context.ts'
import { missingReference } from '../http/api-error.ts'
import { isWanted, listRoute } from '../http/object-routes.ts'
import { completeList, registerExpandable } from '../http/render-object.ts'
import { route } from '../http/route.ts'
import type { Customer } from '../objects/billing-objects.ts'
import { randomText } from '../objects/ids.ts'
import { attachCard, detachCard, ownMethod, paymentMethodById } from './cards/saved-cards.ts'
import { emitEvent, saveAndEmit, snapshot } from './events/emit-event.ts'
import { customerById } from './find-by-id.ts'
import { assignFields, mergeMetadata } from './params.ts'
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
  const param = 'invoice_settings[default_payment_method]'
  customer.invoice_settings.default_payment_method = wanted
    ? ownMethod(context, wanted, customer, param).id
    : null
}

function applyFields(customer: Customer, params: Stripe.CustomerCreateParams | Stripe.CustomerUpdateParams) {
  assignFields(customer, params, ['email', 'name', 'balance'])
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
    metadata: {},
    invoice_prefix: randomText(8).toUpperCase(),
    next_invoice_sequence: 1,
    test_clock: clock,
  })
  Object.assign(customer, { preferred_locales: [] })
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

listRoute(
  'customer',
  (one, { email }: Stripe.CustomerListParams) => !one.deleted && isWanted(email, one.email),
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
route('DELETE', '/v1/customers/:id', 'CustomerDeleteParams', ({ context, id }) => {
  const customer = customerById(context, id)
  for (const subscription of context.store.all('subscription'))
    if (subscription.customer === id && !subscription.ended_at) cancelSubscription(context, subscription)
  for (const method of context.store.all('payment_method'))
    if (method.customer === id) detachCard(context, method)
  emitEvent(context, 'customer.deleted', customer)
  customer.deleted = true
  context.store.save(customer)
  return { id, object: 'customer', deleted: true }
})
