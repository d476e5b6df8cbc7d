import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import { findById, isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { completeList } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { Invoice } from '../../objects/billing-objects.ts'
import type { CreditNote } from '../../objects/stored-objects.ts'
import { refundPayment } from '../cards/refunds.ts'
import { emitEvent, saveAndEmit, snapshot } from '../events/emit-event.ts'
import { payOutOfBand } from './collect-payment.ts'
import { intentOf } from './invoices.ts'

type Params = Stripe.CreditNoteCreateParams

/** Reduces the amount due first. The rest is refunded, credited to the balance, or settled elsewhere. */
function createCreditNote(context: SandboxContext, invoice: Invoice, params: Params): CreditNote {
  if (invoice.status !== 'open' && invoice.status !== 'paid')
    throw invalid(`You can only create a credit note for an open or paid invoice.`, 'invoice')
  const {
    amount = 0,
    refund_amount: back = 0,
    credit_amount: credit = 0,
    out_of_band_amount: outside = 0,
  } = params
  const credited = invoice.pre_payment_credit_notes_amount + invoice.post_payment_credit_notes_amount
  if (amount <= 0 || amount > invoice.total - credited)
    throw invalid('The amount of a credit note can be at most what its invoice has left.', 'amount')
  const before = Math.min(amount, invoice.amount_remaining)
  const after = amount - before
  if (back + credit + outside !== after)
    throw invalid(
      `The sum of credit amount, refund amount and out of band amount must equal the post payment amount (${after}).`,
    )
  const intent = intentOf(context, invoice)
  const refund = back > 0 && intent ? refundPayment(context, intent, { amount: back }) : null
  const at = currentTime(context, invoice.test_clock)
  const count = context.store.all('credit_note').filter(one => one.invoice === invoice.id).length + 1
  const note = newObject<CreditNote>('CreditNote', 'cn', {
    created: at,
    amount,
    currency: invoice.currency,
    customer: invoice.customer,
    effective_at: at,
    invoice: invoice.id,
    memo: params.memo ?? null,
    metadata: {},
    number: `${invoice.number}-CN-${String(count).padStart(2, '0')}`,
    out_of_band_amount: outside || null,
    post_payment_amount: after,
    pre_payment_amount: before,
    reason: params.reason ?? null,
    refunds: refund
      ? [{ amount_refunded: back, payment_record_refund: null, refund: refund.id, type: 'refund' }]
      : [],
    status: 'issued',
    subtotal: amount,
    total: amount,
    type: before === 0 ? 'post_payment' : after === 0 ? 'pre_payment' : 'mixed',
  })
  Object.assign(note, {
    lines: completeList([], `/v1/credit_notes/${note.id}/lines`),
    pdf: `${context.origin}/sandbox/invoices/${invoice.id}/pdf`,
  })
  context.store.save(note)
  invoice.pre_payment_credit_notes_amount += before
  invoice.post_payment_credit_notes_amount += after
  invoice.amount_due -= before
  invoice.amount_remaining -= before
  if (intent && before > 0 && intent.status !== 'succeeded') {
    intent.amount = invoice.amount_remaining
    context.store.save(intent)
  }
  context.store.save(invoice)
  if (credit > 0) creditCustomer(context, invoice.customer, credit)
  emitEvent(context, 'credit_note.created', note)
  if (invoice.status === 'open' && invoice.amount_remaining === 0) payOutOfBand(context, invoice)
  return note
}

function creditCustomer(context: SandboxContext, id: string, amount: number) {
  const customer = context.store.get('customer', id)
  if (!customer || customer.deleted) return
  const before = snapshot(customer)
  customer.balance -= amount
  saveAndEmit(context, 'customer.updated', customer, before)
}

route<Params>('POST', '/v1/credit_notes', 'CreditNoteCreateParams', ({ context, params }) =>
  createCreditNote(context, findById(context, 'invoice', params.invoice), params),
)

listRoute('credit_note', (one, { invoice }: Stripe.CreditNoteListParams) => isWanted(invoice, one.invoice))
retrieveRoute('credit_note')
