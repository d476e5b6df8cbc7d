import type { SandboxContext } from '../context.ts'
import { ApiError } from '../http/api-error.ts'
import { findById } from '../http/object-routes.ts'
import type { Invoice } from '../objects/billing-objects.ts'
import { escapeHtml } from '../pages/assets.ts'
import { intentError } from '../payments/cards/intents.ts'
import { attachCard, newNamedCard } from '../payments/cards/saved-cards.ts'
import { testCards } from '../payments/cards/test-cards.ts'
import { collectPayment } from '../payments/invoices/collect-payment.ts'
import { intentOf } from '../payments/invoices/invoices.ts'
import { moneyText } from '../payments/prices/money.ts'
import { type ControlCall, type ControlReply, htmlReply } from './reply.ts'

const redirect = (location: string): ControlReply => ({
  status: 303,
  body: '',
  type: 'text/plain',
  headers: { location, 'cache-control': 'no-store' },
})

/** 3D Secure while the payment needs it, a form that pays an open invoice, otherwise the PDF. */
export function hostedPage(context: SandboxContext, id: string): ControlReply {
  const invoice = findById(context, 'invoice', id)
  const intent = intentOf(context, invoice)
  if (intent?.status === 'requires_action')
    return redirect(
      `/sandbox/3ds/${intent.id}?${new URLSearchParams({ client_secret: intent.client_secret })}`,
    )
  return invoice.status === 'open' ? payPage(invoice, '') : redirect(`/sandbox/invoices/${id}/pdf`)
}

/** Pays an open invoice with a test card. A declined card shows the page again, with the reason. */
export function payInvoice({ context, body, webhooks }: ControlCall, id: string): ControlReply {
  const invoice = findById(context, 'invoice', id)
  if (invoice.status !== 'open') return hostedPage(context, id)
  try {
    const card = context.store.save(newNamedCard(context, String(body.number)))
    collectPayment(context, invoice, attachCard(context, card, invoice.customer))
    const intent = intentOf(context, invoice)
    const refusal = intent && intentError(intent)
    return refusal ? payPage(invoice, refusal.body.message) : hostedPage(context, id)
  } catch (error) {
    if (error instanceof ApiError) return payPage(invoice, error.body.message)
    throw error
  } finally {
    context.store.flush()
    webhooks.sendPending()
  }
}

function payPage(invoice: Invoice, refusal: string): ControlReply {
  const cards = testCards
    .filter(({ behaviour }) => behaviour !== 'number_refused')
    .map(
      ({ number, note }) =>
        `<option value="${number}">ending in ${number.slice(-4)}: ${escapeHtml(note)}</option>`,
    )
  const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Pay invoice ${escapeHtml(invoice.number ?? '')}</title>
  <link rel="stylesheet" href="/sandbox/files/page.css">
</head>
<body class="bank">
  <main class="bank__card">
    <p class="bank__name">Sandbox payments</p>
    <h1>Pay invoice ${escapeHtml(invoice.number ?? '')}</h1>
    <p>This is a test: no money moves.</p>
    <dl class="lines">
      <div><dt>Amount due</dt><dd>${escapeHtml(moneyText(invoice.amount_remaining, invoice.currency))}</dd></div>
      <div><dt>Invoice</dt><dd><a href="/sandbox/invoices/${invoice.id}/pdf">PDF</a></dd></div>
    </dl>
    <form method="post" action="/sandbox/invoices/${invoice.id}/pay">
      <label for="number">Test card</label>
      <select id="number" name="number">${cards.join('')}</select>
      <div class="buttons"><button class="btn btn--primary" type="submit">Pay</button></div>
    </form>
    <p class="bank__state" role="status">${escapeHtml(refusal)}</p>
  </main>
</body>
</html>`
  const policy =
    "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  return htmlReply(html, policy)
}
