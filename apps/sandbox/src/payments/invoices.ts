import type { Discount } from '../discount-objects.ts'
import { invalid, missing } from '../http/api-error.ts'
import { includes, wholeList } from '../http/wire.ts'
import type {
  Customer,
  Invoice,
  InvoiceLine,
  InvoicePayment,
  PaymentIntent,
  Subscription,
} from '../objects.ts'
import { make, now, type World } from '../world.ts'
import { spreadDiscounts } from './discount-sums.ts'
import { endSpent, liveDiscounts } from './discounts.ts'
import { emit, saveChanged, snapshot } from './events.ts'
import { cancelIntent, newPaymentIntent } from './intents.ts'
import { giveUpUnlocated, invoiceTax, spreadTaxes } from './taxes.ts'

/** Renewals wait an hour as drafts, so that usage and edits can still reach them. */
export const draftSeconds = 3_600
const smallestCharge = 50

includes('invoice.payments', (world, id) =>
  wholeList(
    world.store
      .all('invoice_payment')
      .filter(one => one.invoice === id)
      .reverse(),
    `/v1/invoice_payments?invoice=${id}`,
  ),
)
includes('invoice.confirmation_secret', (world, id) => {
  const intent = intentOf(world, world.store.get('invoice', id))
  return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
})

export const intentOf = (world: World, invoice: Invoice | undefined): PaymentIntent | undefined =>
  invoice?._paymentIntent ? world.store.get('payment_intent', invoice._paymentIntent) : undefined

export function invoiceById(world: World, id: string): Invoice {
  const invoice = world.store.get('invoice', id)
  if (!invoice) throw missing('invoice', id, 'invoice')
  return invoice
}

interface InvoiceInput {
  subscription: Subscription
  customer: Customer
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  lines: InvoiceLine[]
  period: { start: number; end: number }
  /** Those that are good now, unless told. */
  discounts?: Discount[]
}

/** The sums of an invoice: its lines, less the discounts, plus the taxes that are not inside, and the balance. */
function addUp(world: World, invoice: Invoice, customer: Customer, balance: number) {
  const subtotal = invoice.lines.data.reduce((sum, line) => sum + line.amount, 0)
  const discounts = spreadDiscounts(invoice.lines.data, invoice._discounts ?? [])
  const { taxes, exclusive, inclusive, insideUndiscounted } = spreadTaxes(world, invoice, customer)
  const net = subtotal - discounts.reduce((sum, one) => sum + one.amount, 0)
  const total = net + exclusive
  const owed = total + balance
  const due = owed >= smallestCharge ? owed : 0
  Object.assign(invoice, {
    total_excluding_tax: net - inclusive,
    subtotal_excluding_tax: subtotal - insideUndiscounted,
    total_pretax_credit_amounts: discounts.map(one => ({ ...one, type: 'discount' })),
  })
  invoice.total_discount_amounts = discounts
  invoice.total_taxes = taxes
  invoice.subtotal = subtotal
  invoice.total = total
  invoice.starting_balance = balance
  invoice.amount_due = due
  invoice.amount_remaining = due
  return { endingBalance: due > 0 ? 0 : owed }
}

/** An invoice that is not stored yet: a draft to be, or a preview. */
export function composeInvoice(
  world: World,
  { subscription, customer, reason, lines, period, discounts }: InvoiceInput,
): Invoice {
  const at = now(world, customer.test_clock)
  const applied = discounts ?? liveDiscounts(subscription, at)
  const invoice = make<Invoice>('Invoice', 'in', {
    created: at,
    auto_advance: true,
    automatic_tax: invoiceTax(subscription, customer),
    billing_reason: reason,
    collection_method: subscription.collection_method,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    default_tax_rates: subscription.default_tax_rates ?? [],
    discounts: applied.map(one => one.id),
    metadata: {},
    period_start: period.start,
    period_end: period.end,
    status: 'draft',
    test_clock: customer.test_clock,
    parent: null,
    _discounts: applied,
    _subscription: subscription.id,
    _paymentIntent: null,
  })
  const details = { metadata: { ...subscription.metadata }, subscription: subscription.id }
  const more = {
    account_country: 'US',
    account_name: 'Plinth Sandbox',
    customer_address: customer.address ?? null,
    customer_phone: customer.phone,
    customer_tax_ids: [],
    issuer: { type: 'self' },
    parent: { type: 'subscription_details', quote_details: null, subscription_details: details },
  }
  Object.assign(invoice, more)
  for (const line of lines) line.invoice = invoice.id
  invoice.lines = wholeList(lines, `/v1/invoices/${invoice.id}/lines`)
  addUp(world, invoice, customer, customer.balance)
  return invoice
}

export function newInvoice(world: World, input: InvoiceInput): Invoice {
  const invoice = composeInvoice(world, input)
  world.store.save(invoice)
  input.subscription.latest_invoice = invoice.id
  const used = (invoice.total_discount_amounts ?? []).filter(one => one.amount > 0)
  endSpent(world, input.subscription, new Set(used.map(one => one.discount)))
  world.store.save(input.subscription)
  emit(world, 'invoice.created', invoice)
  return invoice
}

function requestPayment(world: World, invoice: Invoice) {
  const intent = newPaymentIntent(world, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    setup_future_usage: 'off_session',
    _invoice: invoice.id,
  })
  invoice._paymentIntent = intent.id
  const payment = make<InvoicePayment>('InvoicePayment', 'inpay', {
    created: intent.created,
    amount_requested: intent.amount,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
  world.store.save(payment)
}

/** Gives the invoice its number and its payment; with nothing to pay it is paid at once. */
export function finalize(world: World, invoice: Invoice): Invoice {
  if (invoice.status !== 'draft')
    throw invalid(
      'This invoice is already finalized, you can’t re-finalize it.',
      undefined,
      'invoice_not_editable',
    )
  const customer = world.store.get('customer', invoice.customer)
  if (!customer) throw missing('customer', invoice.customer)
  const at = now(world, invoice.test_clock)
  giveUpUnlocated(world, invoice, customer)
  const { endingBalance } = addUp(world, invoice, customer, customer.balance)
  invoice.ending_balance = endingBalance
  const before = snapshot(customer)
  customer.balance = endingBalance
  customer.currency = invoice.currency
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
  customer.next_invoice_sequence += 1
  saveChanged(world, 'customer.updated', customer, before)
  invoice.status = 'open'
  invoice.effective_at = at
  invoice.automatically_finalizes_at = null
  invoice.status_transitions = { ...invoice.status_transitions, finalized_at: at }
  invoice.hosted_invoice_url = `${world.origin}/sandbox/invoices/${invoice.id}`
  invoice.invoice_pdf = `${world.origin}/sandbox/invoices/${invoice.id}/pdf`
  if (invoice.amount_due > 0) requestPayment(world, invoice)
  world.store.save(invoice)
  emit(world, 'invoice.finalized', invoice)
  return invoice
}

export function markPaid(world: World, invoice: Invoice) {
  const at = now(world, invoice.test_clock)
  invoice.status = 'paid'
  invoice.attempted = true
  invoice.auto_advance = false
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status_transitions = { ...invoice.status_transitions, paid_at: at }
  world.store.save(invoice)
  for (const payment of world.store.all('invoice_payment'))
    if (payment.invoice === invoice.id && payment.status === 'open') {
      payment.status = 'paid'
      payment.amount_paid = payment.amount_requested
      payment.status_transitions = { ...payment.status_transitions, paid_at: at }
      emit(world, 'invoice_payment.paid', world.store.save(payment), { at })
    }
  emit(world, 'invoice.paid', invoice)
  emit(world, 'invoice.payment_succeeded', invoice)
}

export function markUncollectible(world: World, invoice: Invoice) {
  if (invoice.status !== 'open')
    throw invalid(
      `You can only mark open invoices as uncollectible. This invoice is ${invoice.status}.`,
      undefined,
      'invoice_not_editable',
    )
  invoice.status = 'uncollectible'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions = {
    ...invoice.status_transitions,
    marked_uncollectible_at: now(world, invoice.test_clock),
  }
  emit(world, 'invoice.marked_uncollectible', world.store.save(invoice))
}

export function voidInvoice(world: World, invoice: Invoice) {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalid(
      `You can only pass in open invoices. This invoice is ${invoice.status}.`,
      undefined,
      'invoice_not_editable',
    )
  const at = now(world, invoice.test_clock)
  invoice.status = 'void'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions = { ...invoice.status_transitions, voided_at: at }
  world.store.save(invoice)
  cancelPayment(world, invoice)
  emit(world, 'invoice.voided', invoice)
  giveBack(world, invoice)
  dropPending(world, invoice)
}

/** Cancels the invoice's own payment, so that it can no longer be paid with it. */
export function cancelPayment(world: World, invoice: Invoice) {
  const at = now(world, invoice.test_clock)
  const intent = intentOf(world, invoice)
  if (intent && intent.status !== 'canceled' && intent.status !== 'succeeded')
    cancelIntent(world, intent, 'void_invoice')
  for (const payment of world.store.all('invoice_payment'))
    if (payment.invoice === invoice.id && payment.status === 'open') {
      payment.status = 'canceled'
      payment.status_transitions = { ...payment.status_transitions, canceled_at: at }
      world.store.save(payment)
    }
}

/** What was taken of the customer's balance for an invoice that is void now. */
function giveBack(world: World, invoice: Invoice) {
  const customer = world.store.get('customer', invoice.customer)
  const taken = (invoice.ending_balance ?? 0) - invoice.starting_balance
  if (!customer || customer.deleted || taken === 0) return
  const before = snapshot(customer)
  customer.balance -= taken
  saveChanged(world, 'customer.updated', customer, before)
}

/** A change that waited for this invoice is never made now. */
function dropPending(world: World, invoice: Invoice) {
  const subscription = world.store.get('subscription', invoice._subscription ?? '')
  if (!subscription?.pending_update || subscription.latest_invoice !== invoice.id) return
  const before = snapshot(subscription)
  subscription.pending_update = null
  saveChanged(world, 'customer.subscription.updated', subscription, before)
  emit(world, 'customer.subscription.pending_update_expired', subscription)
}
