import type { SandboxContext } from '../context.ts'
import { invalid, missing } from '../http/api-error.ts'
import { appOrigins } from '../http/respond.ts'
import type { Intent } from '../objects/billing-objects.ts'
import { escapeHtml } from '../pages/assets.ts'
import { resolveChallenge } from '../payments/cards/intents.ts'
import { applyPaymentStatus } from '../payments/invoices/collect-payment.ts'
import { moneyText } from '../payments/prices/money.ts'
import { type ControlCall, type ControlReply, htmlReply } from './reply.ts'

function intentById(context: SandboxContext, id: string, secret: unknown): Intent {
  const intent = context.store.get('payment_intent', id) ?? context.store.get('setup_intent', id)
  if (!intent || intent.client_secret !== secret) throw missing('intent', id)
  return intent
}

function amountText(intent: Intent) {
  if (intent.object === 'setup_intent') return 'nothing now'
  return moneyText(intent.amount, intent.currency)
}

function challengePage(context: SandboxContext, intent: Intent): ControlReply {
  const method = context.store.get('payment_method', intent.payment_method ?? '')
  const origins = appOrigins(context.config.appUrl)
  const waits = intent.status === 'requires_action'
  const last4 = method?.card.last4 ?? '····'
  // The script enables the buttons: an earlier click would be lost.
  const buttons = `<div class="buttons">
      <button class="btn btn--primary" type="button" disabled data-outcome="complete">Complete</button>
      <button class="btn btn--secondary" type="button" disabled data-outcome="fail">Fail</button>
    </div>`
  const html = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Confirm it is you</title>
  <link rel="stylesheet" href="/sandbox/files/page.css">
  <script type="module" src="/sandbox/files/three-d-secure.js"></script>
</head>
<body class="bank">
  <main class="bank__card" data-intent="${escapeHtml(intent.id)}" data-secret="${escapeHtml(intent.client_secret)}"
    data-origins="${escapeHtml(origins.join(' '))}">
    <p class="bank__name">Sandbox Bank</p>
    <h1>Confirm it is you</h1>
    <p>Your bank asks before it lets this payment through. This is a test: no money moves.</p>
    <dl class="lines">
      <div><dt>Merchant</dt><dd>Plinth</dd></div>
      <div><dt>Amount</dt><dd>${escapeHtml(amountText(intent))}</dd></div>
      <div><dt>Card</dt><dd>ending in ${escapeHtml(last4)}</dd></div>
    </dl>
    ${waits ? buttons : ''}
    <p class="bank__state" role="status">${waits ? '' : 'There is nothing left to confirm here.'}</p>
  </main>
</body>
</html>`
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self' ${origins.join(' ')}`
  return htmlReply(html, policy)
}

/** The 3D Secure page, and its outcome. */
export function threeDSecureRoutes({
  context,
  method,
  url,
  body,
  webhooks,
}: ControlCall): ControlReply | undefined {
  const [, id] = /^\/sandbox\/3ds\/((?:pi|seti)_\w+)$/.exec(url.pathname) ?? []
  if (!id) return undefined
  const intent = intentById(context, id, body.client_secret ?? url.searchParams.get('client_secret'))
  if (method === 'GET') return challengePage(context, intent)
  if (method !== 'POST') return undefined
  const { outcome } = body
  if (outcome !== 'complete' && outcome !== 'fail')
    throw invalid('outcome must be complete or fail', 'outcome')
  resolveChallenge(context, intent, outcome)
  if (intent.object === 'payment_intent') applyPaymentStatus(context, intent)
  context.store.flush()
  webhooks.sendPending()
  return { status: 200, body: { intent: id, status: intent.status, outcome } }
}
