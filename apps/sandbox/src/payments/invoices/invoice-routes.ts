import type Stripe from 'stripe'
import { ApiError, invalid } from '../../http/api-error.ts'
import { findById, isWanted, listRoute, retrieveRoute } from '../../http/object-routes.ts'
import { route } from '../../http/route.ts'
import { intentError } from '../cards/intents.ts'
import { attachCard, paymentMethodById } from '../cards/saved-cards.ts'
import {
  applyInvoiceStatus,
  collectPayment,
  defaultMethod,
  missingMethodError,
  payOutOfBand,
  subscriptionOf,
} from './collect-payment.ts'
import { finalizeInvoice, intentOf, markUncollectible, voidInvoice } from './invoices.ts'
import { previewInvoice } from './preview-invoice.ts'

listRoute(
  'invoice',
  (one, { customer, subscription, status }: Stripe.InvoiceListParams) =>
    isWanted(customer, one.customer) &&
    isWanted(subscription, one._subscription) &&
    isWanted(status, one.status),
)
retrieveRoute('invoice')

route<Stripe.InvoiceCreatePreviewParams>(
  'POST',
  '/v1/invoices/create_preview',
  'InvoiceCreatePreviewParams',
  ({ context, params }) => previewInvoice(context, params),
)

route('POST', '/v1/invoices/:id/finalize', 'InvoiceFinalizeInvoiceParams', ({ context, id }) =>
  finalizeInvoice(context, findById(context, 'invoice', id)),
)

route('POST', '/v1/invoices/:id/void', 'InvoiceVoidInvoiceParams', ({ context, id }) => {
  const invoice = findById(context, 'invoice', id)
  voidInvoice(context, invoice)
  applyInvoiceStatus(context, invoice)
  return invoice
})

route('POST', '/v1/invoices/:id/mark_uncollectible', 'InvoiceMarkUncollectibleParams', ({ context, id }) => {
  const invoice = findById(context, 'invoice', id)
  markUncollectible(context, invoice)
  applyInvoiceStatus(context, invoice)
  return invoice
})

route<Stripe.InvoicePayParams>(
  'POST',
  '/v1/invoices/:id/pay',
  'InvoicePayParams',
  ({ context, params, id }) => {
    const invoice = findById(context, 'invoice', id)
    if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid')
    if (invoice.status === 'void')
      throw invalid('Invoices with a status of void cannot be paid.', undefined, 'invoice_not_editable')
    if (invoice.status === 'draft') finalizeInvoice(context, invoice)
    if (params.paid_out_of_band) {
      payOutOfBand(context, invoice)
      return invoice
    }
    const subscription = subscriptionOf(context, invoice)
    const given = params.payment_method
    const method = given
      ? attachCard(context, paymentMethodById(context, given), invoice.customer)
      : subscription && defaultMethod(context, subscription)
    if (!method && invoice.amount_due > 0) throw missingMethodError()
    collectPayment(context, invoice, method)
    const intent = intentOf(context, invoice)
    const refusal = intent && intentError(intent)
    if (refusal) throw refusal
    if (intent?.status === 'requires_action')
      throw new ApiError(402, {
        type: 'card_error',
        code: 'invoice_payment_intent_requires_action',
        message:
          'Payment for this invoice requires additional user action before it can be completed successfully.',
        payment_intent: structuredClone(intent),
      })
    return invoice
  },
)

listRoute('invoice_payment', (one, { invoice }: Stripe.InvoicePaymentListParams) =>
  isWanted(invoice, one.invoice),
)
