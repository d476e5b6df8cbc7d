import { type SandboxContext, saveSetting } from '../context.ts'
import { invalid } from '../http/api-error.ts'
import { findById } from '../http/object-routes.ts'
import { asset, pagePolicy, servedAsset } from '../pages/assets.ts'
import { testCards } from '../payments/cards/test-cards.ts'
import { advanceClock, clockState } from './clock.ts'
import { hostedPage, payInvoice } from './invoice-page.ts'
import { type ControlCall, type ControlReply, htmlReply, jsonReply } from './reply.ts'
import { threeDSecureRoutes } from './three-d-secure.ts'
import { newestEvents, webhookControl } from './webhook-control.ts'

function settings({ context, body }: ControlCall): ControlReply {
  const final = body.dunning_final
  if (final !== 'cancel' && final !== 'unpaid' && final !== 'past_due')
    throw invalid('dunning_final must be cancel, unpaid or past_due', 'dunning_final')
  saveSetting(context, 'dunning_final', final)
  context.store.flush()
  return jsonReply({ dunning_final: final })
}

/**
 * Deletes webhook endpoints and the price list too, unless the call keeps them. Identity keys stay, because the product
 * stores them in its settings. Running calls, mails and deliveries are discarded.
 */
function reset({ context, log, faults, webhooks, inbox, identity, body }: ControlCall): ControlReply {
  context.resetCount += 1
  context.store.clear([
    'identity_key',
    ...(body.keep_webhook_endpoints ? (['webhook_endpoint'] as const) : []),
    ...(body.keep_catalogue
      ? (['product', 'price', 'billing.meter', 'coupon', 'promotion_code'] as const)
      : []),
  ])
  context.store.flush()
  context.outbox.length = 0
  log.clear()
  faults.clear()
  inbox.clear()
  inbox.releaseWaiting()
  identity.codes.clear()
  webhooks.clear()
  return jsonReply({ reset: true })
}

const pdf = async (context: SandboxContext, id: string): Promise<ControlReply> => {
  const invoice = findById(context, 'invoice', id)
  // Loaded on demand: the start does not read the fonts.
  const { invoicePdf } = await import('../payments/invoices/pdf/invoice-pdf.ts')
  const name = `invoice-${invoice.number ?? 'draft'}.pdf`
  return {
    status: 200,
    body: await invoicePdf(context, invoice),
    type: 'application/pdf',
    headers: { 'content-disposition': `inline; filename="${name}"` },
  }
}

export async function controlRoutes(control: ControlCall): Promise<ControlReply | undefined> {
  const { method, url, context, log, faults, webhooks, body } = control
  const call = `${method} ${url.pathname}`
  const file = method === 'GET' ? servedAsset(url.pathname) : undefined
  if (file) return { status: 200, ...file }
  const [, invoice, part] = /^GET \/sandbox\/invoices\/(in_\w+)(\/pdf)?$/.exec(call) ?? []
  if (invoice) return part ? pdf(context, invoice) : hostedPage(context, invoice)
  const [, paid] = /^POST \/sandbox\/invoices\/(in_\w+)\/pay$/.exec(call) ?? []
  if (paid) return payInvoice(control, paid)
  switch (call) {
    case 'GET /sandbox':
      return htmlReply(asset('start.html').toString(), pagePolicy)
    case 'GET /sandbox/requests':
      return htmlReply(asset('log.html').toString(), pagePolicy)
    case 'GET /sandbox/time':
      return htmlReply(asset('time.html').toString(), pagePolicy)
    case 'GET /sandbox/cards':
      return jsonReply({ data: testCards })
    case 'GET /sandbox/log':
      return jsonReply({ data: log.all() })
    case 'POST /sandbox/reset':
      return reset(control)
    case 'GET /sandbox/faults':
      return jsonReply({ data: faults.all() })
    case 'POST /sandbox/faults':
      return jsonReply(faults.add(body))
    case 'DELETE /sandbox/faults':
      faults.clear(url.searchParams.get('kind'))
      return jsonReply({ deleted: true })
    case 'POST /sandbox/webhooks':
      return webhookControl(control)
    case 'GET /sandbox/webhooks':
      return jsonReply({ ...webhooks.faults, data: context.store.all('delivery').slice(-200).reverse() })
    case 'GET /sandbox/webhooks/idle':
      await webhooks.idle()
      return jsonReply({ idle: true })
    case 'POST /sandbox/clock':
      return advanceClock(control)
    case 'GET /sandbox/clock':
      return jsonReply(clockState(context))
    case 'GET /sandbox/events':
      return jsonReply({ data: newestEvents(context) })
    case 'POST /sandbox/settings':
      return settings(control)
    default:
      return threeDSecureRoutes(control)
  }
}
