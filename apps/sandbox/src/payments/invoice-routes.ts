import type Stripe from 'stripe'
import { ApiError, invalid } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import { collect, defaultMethod, followInvoice, noMethodError, payByHand } from './collection.ts'
import { refusalOf } from './intents.ts'
import { finalize, intentOf, invoiceById, markUncollectible, voidInvoice } from './invoices.ts'
import { previewInvoice } from './preview.ts'
import { attach, paymentMethodById } from './saved-cards.ts'

route<Stripe.InvoiceListParams>('GET', '/v1/invoices', 'InvoiceListParams', ({ world, params, path }) => {
  const { customer, subscription, status, collection_method: method } = params
  const rows = world.store
    .all('invoice')
    .filter(
      one =>
        (!customer || one.customer === customer) &&
        (!subscription || one._subscription === subscription) &&
        (!status || one.status === status) &&
        (!method || one.collection_method === method),
    )
  return page(rows, path, params)
})

route<Stripe.InvoiceCreatePreviewParams>(
  'POST',
  '/v1/invoices/create_preview',
  'InvoiceCreatePreviewParams',
  ({ world, params }) => previewInvoice(world, params),
)

route('GET', '/v1/invoices/:id', 'InvoiceRetrieveParams', ({ world, id }) => invoiceById(world, id))

route('POST', '/v1/invoices/:id/finalize', 'InvoiceFinalizeInvoiceParams', ({ world, id }) =>
  finalize(world, invoiceById(world, id)),
)

route('POST', '/v1/invoices/:id/void', 'InvoiceVoidInvoiceParams', ({ world, id }) => {
  const invoice = invoiceById(world, id)
  voidInvoice(world, invoice)
  followInvoice(world, invoice)
  return invoice
})

route('POST', '/v1/invoices/:id/mark_uncollectible', 'InvoiceMarkUncollectibleParams', ({ world, id }) => {
  const invoice = invoiceById(world, id)
  markUncollectible(world, invoice)
  followInvoice(world, invoice)
  return invoice
})

route<Stripe.InvoicePayParams>(
  'POST',
  '/v1/invoices/:id/pay',
  'InvoicePayParams',
  ({ world, params, id }) => {
    const invoice = invoiceById(world, id)
    if (invoice.status === 'paid') throw invalid('Invoice is already paid', undefined, 'invoice_already_paid')
    if (invoice.status === 'void')
      throw invalid('Invoices with a status of void cannot be paid.', undefined, 'invoice_not_editable')
    if (invoice.status === 'draft') finalize(world, invoice)
    if (params.paid_out_of_band) {
      payByHand(world, invoice)
      return invoice
    }
    const subscription = invoice._subscription
      ? world.store.get('subscription', invoice._subscription)
      : undefined
    const given = params.payment_method
    const method = given
      ? attach(world, paymentMethodById(world, given), invoice.customer)
      : subscription && defaultMethod(world, subscription)
    if (!method && invoice.amount_due > 0) throw noMethodError()
    collect(world, invoice, method)
    const intent = intentOf(world, invoice)
    const refusal = intent && refusalOf(intent)
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
  ({ world, params, path }) => {
    const { invoice, status, payment } = params
    const rows = world.store
      .all('invoice_payment')
      .filter(
        one =>
          (!invoice || one.invoice === invoice) &&
          (!status || one.status === status) &&
          (!payment?.payment_intent || one.payment.payment_intent === payment.payment_intent),
      )
    return page(rows, path, params)
  },
)
