import { invalid } from '../http/api-error.ts'
import { asset, pagePolicy, servedAsset } from '../pages/assets.ts'
import { testCards } from '../payments/cards.ts'
import { intentOf, invoiceById } from '../payments/invoices.ts'
import { keepSetting, type World } from '../world.ts'
import { advanceClock, clockState } from './clock.ts'
import { newestEvents, webhookControl } from './events.ts'
import { type Control, page, type Reply } from './reply.ts'
import { threeDSecureRoutes } from './three-d-secure.ts'

const json = (body: unknown): Reply => ({ status: 200, body })

function settings({ world, body }: Control): Reply {
  const final = body.dunning_final
  if (final !== 'cancel' && final !== 'unpaid' && final !== 'past_due')
    throw invalid('dunning_final must be cancel, unpaid or past_due', 'dunning_final')
  keepSetting(world, 'dunning_final', final)
  world.store.flush()
  return json({ dunning_final: final })
}

/**
 * Webhook endpoints and the price list belong to whoever made them; a reset takes them too unless asked to keep them.
 * Keys stay: the product has them in its settings. What is under way is dropped, or it would end up in the new world.
 */
function reset({ world, log, faults, webhooks, inbox, smtp, identity, body }: Control): Reply {
  world.era += 1
  world.store.clear([
    'identity_key',
    ...(body.keep_webhook_endpoints ? (['webhook_endpoint'] as const) : []),
    ...(body.keep_catalogue
      ? (['product', 'price', 'billing.meter', 'coupon', 'promotion_code', 'tax_rate'] as const)
      : []),
  ])
  world.store.flush()
  world.outbox.length = 0
  log.clear()
  faults.clear()
  inbox.clear()
  inbox.letGo()
  identity.clear()
  smtp.setMode('ok', 0)
  webhooks.clear()
  return json({ reset: true })
}

const pdf = async (world: World, id: string): Promise<Reply> => {
  const invoice = invoiceById(world, id)
  // Its fonts are read with the first document, not at the start.
  const { invoicePdf } = await import('../payments/pdf.ts')
  const name = `invoice-${invoice.number ?? 'draft'}.pdf`
  return {
    status: 200,
    body: await invoicePdf(world, invoice),
    type: 'application/pdf',
    headers: { 'content-disposition': `inline; filename="${name}"` },
  }
}

/** An invoice's own page: the bank's question while that is open, otherwise the document. */
function hostedPage(world: World, id: string): Reply {
  const intent = intentOf(world, invoiceById(world, id))
  const location =
    intent?.status === 'requires_action'
      ? `/sandbox/3ds/${intent.id}?${new URLSearchParams({ client_secret: intent.client_secret })}`
      : `/sandbox/invoices/${id}/pdf`
  return { status: 303, body: '', type: 'text/plain', headers: { location, 'cache-control': 'no-store' } }
}

export async function controlRoutes(control: Control): Promise<Reply | undefined> {
  const { method, url, world, log, faults, webhooks, body } = control
  const call = `${method} ${url.pathname}`
  const file = method === 'GET' ? servedAsset(url.pathname) : undefined
  if (file) return { status: 200, ...file }
  const [, invoice, part] = /^GET \/sandbox\/invoices\/(in_\w+)(\/pdf)?$/.exec(call) ?? []
  if (invoice) return part ? pdf(world, invoice) : hostedPage(world, invoice)
  switch (call) {
    case 'GET /sandbox':
      return page(asset('start.html').toString(), pagePolicy)
    case 'GET /sandbox/requests':
      return page(asset('log.html').toString(), pagePolicy)
    case 'GET /sandbox/time':
      return page(asset('time.html').toString(), pagePolicy)
    case 'GET /sandbox/cards':
      return json({ data: testCards })
    case 'GET /sandbox/log':
      return json({ data: log.all() })
    case 'POST /sandbox/reset':
      return reset(control)
    case 'GET /sandbox/faults':
      return json({ data: faults.all() })
    case 'POST /sandbox/faults':
      return json(faults.add(body))
    case 'DELETE /sandbox/faults':
      faults.clear(url.searchParams.get('kind'))
      return json({ deleted: true })
    case 'POST /sandbox/webhooks':
      return webhookControl(control)
    case 'GET /sandbox/webhooks':
      return json({ ...webhooks.mischief, data: world.store.all('delivery').slice(-200).reverse() })
    case 'GET /sandbox/webhooks/idle':
      await webhooks.idle()
      return json({ idle: true })
    case 'POST /sandbox/clock':
      return advanceClock(control)
    case 'GET /sandbox/clock':
      return json(clockState(world))
    case 'GET /sandbox/events':
      return json({ data: newestEvents(world) })
    case 'POST /sandbox/settings':
      return settings(control)
    default:
      return threeDSecureRoutes(control)
  }
}
