import type Stripe from 'stripe'
import { ApiError, invalid } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
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
import { finalizeInvoice, intentOf, invoiceById, markUncollectible, voidInvoice } from './invoices.ts'
import { previewInvoice } from './preview-invoice.ts'

route<Stripe.InvoiceListParams>('GET', '/v1/invoices', 'InvoiceListParams', ({ context, params, path }) => {
  const { customer, subscription, status, collection_method: method } = params
  const rows = context.store
    .all('invoice')
    .filter(
      one =>
        (!customer || one.customer === customer) &&
        (!subscription || one._subscription === subscription) &&
        (!status || one.status === status) &&
        (!method || one.collection_method === method),
    )
  return paginate(rows, path, params)
})

route<Stripe.InvoiceCreatePreviewParams>(
  'POST',
  '/v1/invoices/create_preview',
  'InvoiceCreatePreviewParams',
  ({ context, params }) => previewInvoice(context, params),
)

route('GET', '/v1/invoices/:id', 'InvoiceRetrieveParams', ({ context, id }) => invoiceById(context, id))

route('POST', '/v1/invoices/:id/finalize', 'InvoiceFinalizeInvoiceParams', ({ context, id }) =>
  finalizeInvoice(context, invoiceById(context, id)),
)

route('POST', '/v1/invoices/:id/void', 'InvoiceVoidInvoiceParams', ({ context, id }) => {
  const invoice = invoiceById(context, id)
  voidInvoice(context, invoice)
  applyInvoiceStatus(context, invoice)
  return invoice
})

route('POST', '/v1/invoices/:id/mark_uncollectible', 'InvoiceMarkUncollectibleParams', ({ context, id }) => {
  const invoice = invoiceById(context, id)
  markUncollectible(context, invoice)
  applyInvoiceStatus(context, invoice)
  return invoice
})

route<Stripe.InvoicePayParams>(
  'POST',
  '/v1/invoices/:id/pay',
  'InvoicePayParams',
  ({ context, params, id }) => {
    const invoice = invoiceById(context, id)
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

route<Stripe.InvoicePaymentListParams>(
  'GET',
  '/v1/invoice_payments',
  'InvoicePaymentListParams',
  ({ context, params, path }) => {
    const { invoice, status, payment } = params
    const rows = context.store
      .all('invoice_payment')
      .filter(
        one =>
          (!invoice || one.invoice === invoice) &&
          (!status || one.status === status) &&
          (!payment?.payment_intent || one.payment.payment_intent === payment.payment_intent),
      )
    return paginate(rows, path, params)
  },
)
