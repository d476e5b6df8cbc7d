import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { invalid, missing } from '../../http/api-error.ts'
import { completeList, registerExpandable } from '../../http/render-object.ts'
import type {
  Customer,
  Invoice,
  InvoiceLine,
  PaymentIntent,
  Subscription,
} from '../../objects/billing-objects.ts'
import type { Discount } from '../../objects/discount-objects.ts'
import type { InvoicePayment } from '../../objects/stored-objects.ts'
import { cancelIntent, newPaymentIntent } from '../cards/intents.ts'
import { applyDiscounts } from '../discounts/discount-sums.ts'
import { endExpiredDiscounts, liveDiscounts } from '../discounts/discounts.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'

/** Renewal invoices stay drafts for an hour, so that late usage is included. */
export const draftSeconds = 3_600
const smallestCharge = 50

registerExpandable('invoice.payments', (context, id) =>
  completeList(
    context.store
      .all('invoice_payment')
      .filter(one => one.invoice === id)
      .reverse(),
    `/v1/invoice_payments?invoice=${id}`,
  ),
)

export const intentOf = (context: SandboxContext, invoice: Invoice | undefined): PaymentIntent | undefined =>
  invoice?._paymentIntent ? context.store.get('payment_intent', invoice._paymentIntent) : undefined

interface InvoiceInput {
  subscription: Subscription
  customer: Customer
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  lines: InvoiceLine[]
  period: { start: number; end: number }
  /** Default: the subscription's discounts at the current time. */
  discounts?: Discount[]
}

/** Computes the totals: lines less discounts, plus the customer balance. */
function computeTotals(invoice: Invoice, balance: number) {
  const subtotal = invoice.lines.data.reduce((sum, line) => sum + line.amount, 0)
  const discounts = applyDiscounts(invoice.lines.data, invoice._discounts ?? [])
  const total = subtotal - discounts.reduce((sum, one) => sum + one.amount, 0)
  const owed = total + balance
  const due = owed >= smallestCharge ? owed : 0
  Object.assign(invoice, {
    total_excluding_tax: total,
    subtotal_excluding_tax: subtotal,
    total_pretax_credit_amounts: discounts.map(one => ({ ...one, type: 'discount' })),
  })
  invoice.total_discount_amounts = discounts
  invoice.subtotal = subtotal
  invoice.total = total
  invoice.starting_balance = balance
  invoice.amount_due = due
  invoice.amount_remaining = due
  return { endingBalance: due > 0 ? 0 : owed }
}

/** An invoice that is not stored, for a draft or a preview. */
export function buildInvoice(
  context: SandboxContext,
  { subscription, customer, reason, lines, period, discounts }: InvoiceInput,
): Invoice {
  const at = currentTime(context, customer.test_clock)
  const applied = discounts ?? liveDiscounts(subscription, at)
  const invoice = newObject<Invoice>('Invoice', 'in', {
    created: at,
    auto_advance: true,
    billing_reason: reason,
    collection_method: subscription.collection_method,
    currency: subscription.currency,
    customer: customer.id,
    customer_email: customer.email,
    customer_name: customer.name,
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
    customer_tax_ids: [],
    issuer: { type: 'self' },
    total_taxes: [],
    parent: { type: 'subscription_details', quote_details: null, subscription_details: details },
  }
  Object.assign(invoice, more)
  for (const line of lines) line.invoice = invoice.id
  invoice.lines = completeList(lines, `/v1/invoices/${invoice.id}/lines`)
  computeTotals(invoice, customer.balance)
  return invoice
}

export function newInvoice(context: SandboxContext, input: InvoiceInput): Invoice {
  const invoice = buildInvoice(context, input)
  context.store.save(invoice)
  input.subscription.latest_invoice = invoice.id
  const used = (invoice.total_discount_amounts ?? []).filter(one => one.amount > 0)
  endExpiredDiscounts(context, input.subscription, new Set(used.map(one => one.discount)))
  context.store.save(input.subscription)
  emitEvent(context, 'invoice.created', invoice)
  return invoice
}

function requestPayment(context: SandboxContext, invoice: Invoice) {
  const intent = newPaymentIntent(context, {
    amount: invoice.amount_due,
    currency: invoice.currency,
    customer: invoice.customer,
    description:
      invoice.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    setup_future_usage: 'off_session',
    _invoice: invoice.id,
  })
  invoice._paymentIntent = intent.id
  const payment = newObject<InvoicePayment>('InvoicePayment', 'inpay', {
    created: intent.created,
    amount_requested: intent.amount,
    currency: invoice.currency,
    invoice: invoice.id,
    is_default: true,
    payment: { type: 'payment_intent', payment_intent: intent.id },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  })
  context.store.save(payment)
}

/** Assigns the number and creates the payment. */
export function finalizeInvoice(context: SandboxContext, invoice: Invoice): Invoice {
  if (invoice.status !== 'draft')
    throw invalid(
      'This invoice is already finalized, you can’t re-finalize it.',
      undefined,
      'invoice_not_editable',
    )
  const customer = context.store.get('customer', invoice.customer)
  if (!customer) throw missing('customer', invoice.customer)
  const at = currentTime(context, invoice.test_clock)
  const { endingBalance } = computeTotals(invoice, customer.balance)
  invoice.ending_balance = endingBalance
  const before = snapshot(customer)
  customer.balance = endingBalance
  customer.currency = invoice.currency
  invoice.number = `${customer.invoice_prefix}-${String(customer.next_invoice_sequence).padStart(4, '0')}`
  customer.next_invoice_sequence += 1
  saveAndEmit(context, 'customer.updated', customer, before)
  invoice.status = 'open'
  invoice.effective_at = at
  invoice.automatically_finalizes_at = null
  invoice.status_transitions = { ...invoice.status_transitions, finalized_at: at }
  invoice.hosted_invoice_url = `${context.origin}/sandbox/invoices/${invoice.id}`
  invoice.invoice_pdf = `${context.origin}/sandbox/invoices/${invoice.id}/pdf`
  if (invoice.amount_due > 0) requestPayment(context, invoice)
  context.store.save(invoice)
  emitEvent(context, 'invoice.finalized', invoice)
  return invoice
}

export function markPaid(context: SandboxContext, invoice: Invoice) {
  const at = currentTime(context, invoice.test_clock)
  invoice.status = 'paid'
  invoice.attempted = true
  invoice.auto_advance = false
  invoice.amount_paid = invoice.amount_due
  invoice.amount_remaining = 0
  invoice.next_payment_attempt = null
  invoice.status_transitions = { ...invoice.status_transitions, paid_at: at }
  context.store.save(invoice)
  for (const payment of context.store.all('invoice_payment'))
    if (payment.invoice === invoice.id && payment.status === 'open') {
      payment.status = 'paid'
      payment.amount_paid = payment.amount_requested
      payment.status_transitions = { ...payment.status_transitions, paid_at: at }
      emitEvent(context, 'invoice_payment.paid', context.store.save(payment), { at })
    }
  emitEvent(context, 'invoice.paid', invoice)
  emitEvent(context, 'invoice.payment_succeeded', invoice)
}

export function markUncollectible(context: SandboxContext, invoice: Invoice) {
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
    marked_uncollectible_at: currentTime(context, invoice.test_clock),
  }
  emitEvent(context, 'invoice.marked_uncollectible', context.store.save(invoice))
}

export function voidInvoice(context: SandboxContext, invoice: Invoice) {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw invalid(
      `You can only pass in open invoices. This invoice is ${invoice.status}.`,
      undefined,
      'invoice_not_editable',
    )
  const at = currentTime(context, invoice.test_clock)
  invoice.status = 'void'
  invoice.auto_advance = false
  invoice.next_payment_attempt = null
  invoice.status_transitions = { ...invoice.status_transitions, voided_at: at }
  context.store.save(invoice)
  cancelPayment(context, invoice)
  emitEvent(context, 'invoice.voided', invoice)
  restoreBalance(context, invoice)
  dropPendingUpdate(context, invoice)
}

/** Cancels the invoice's payment intent and open payments. */
export function cancelPayment(context: SandboxContext, invoice: Invoice) {
  const at = currentTime(context, invoice.test_clock)
  const intent = intentOf(context, invoice)
  if (intent && intent.status !== 'canceled' && intent.status !== 'succeeded')
    cancelIntent(context, intent, 'void_invoice')
  for (const payment of context.store.all('invoice_payment'))
    if (payment.invoice === invoice.id && payment.status === 'open') {
      payment.status = 'canceled'
      payment.status_transitions = { ...payment.status_transitions, canceled_at: at }
      context.store.save(payment)
    }
}

/** Returns the balance that a voided invoice used. */
function restoreBalance(context: SandboxContext, invoice: Invoice) {
  const customer = context.store.get('customer', invoice.customer)
  const taken = (invoice.ending_balance ?? 0) - invoice.starting_balance
  if (!customer || customer.deleted || taken === 0) return
  const before = snapshot(customer)
  customer.balance -= taken
  saveAndEmit(context, 'customer.updated', customer, before)
}

/** Discards a pending change that waited for this invoice. */
function dropPendingUpdate(context: SandboxContext, invoice: Invoice) {
  const subscription = context.store.get('subscription', invoice._subscription ?? '')
  if (!subscription?.pending_update || subscription.latest_invoice !== invoice.id) return
  const before = snapshot(subscription)
  subscription.pending_update = null
  saveAndEmit(context, 'customer.subscription.updated', subscription, before)
  emitEvent(context, 'customer.subscription.pending_update_expired', subscription)
}
