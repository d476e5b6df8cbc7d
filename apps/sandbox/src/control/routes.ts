import { invalid, missing } from '../http/api-error.ts'
import { asset, pagePolicy, servedAsset } from '../pages/assets.ts'
import { testCards } from '../payments/cards.ts'
import { invoicePdf } from '../payments/pdf.ts'
import { passTime } from '../payments/time.ts'
import { keepSetting, setting, type World, wallTime } from '../world.ts'
import { type Control, page, type Reply } from './reply.ts'
import { threeDSecureRoutes } from './three-d-secure.ts'

const json = (body: unknown): Reply => ({ status: 200, body })

/** Moves the sandbox's own clock: a demo's month passes in one click. */
function advanceClock({ world, body, webhooks }: Control): Reply {
  const seconds = Number(body.seconds ?? Number(body.days ?? 0) * 86_400)
  if (!Number.isInteger(seconds) || seconds <= 0)
    throw invalid('Give seconds or days, more than 0.', 'seconds')
  const target = wallTime(world) + seconds
  passTime(world, null, target)
  keepSetting(world, 'clock_offset', Number(setting(world, 'clock_offset') ?? 0) + seconds)
  world.store.flush()
  webhooks.pump()
  return json({ now: wallTime(world), offset: setting(world, 'clock_offset') })
}

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
 * Keys stay: the product has them in its settings.
 */
function reset({ world, log, faults, webhooks, inbox, smtp, identity, body }: Control): Reply {
  world.store.clear([
    'identity_key',
    ...(body.keep_webhook_endpoints ? (['webhook_endpoint'] as const) : []),
    ...(body.keep_catalogue ? (['product', 'price', 'billing.meter'] as const) : []),
  ])
  world.store.flush()
  world.outbox.length = 0
  log.clear()
  faults.clear()
  inbox.clear()
  identity.clear()
  smtp.setMode('ok', 0)
  Object.assign(webhooks.mischief, { duplicate: 0, reorder: false, delay_ms: 0, fail: 0 })
  return json({ reset: true })
}

function webhookControl({ world, webhooks, body }: Control): Reply {
  const { mischief } = webhooks
  if (body.duplicate !== undefined) mischief.duplicate = Number(body.duplicate)
  if (body.reorder !== undefined) mischief.reorder = body.reorder === true || body.reorder === 'true'
  if (body.delay_ms !== undefined) mischief.delay_ms = Number(body.delay_ms)
  if (body.fail !== undefined) mischief.fail = Number(body.fail)
  if (typeof body.resend === 'string') {
    const event = world.store.get('event', body.resend)
    if (!event) throw missing('event', body.resend)
    webhooks.resend(event)
  }
  return json({ ...mischief })
}

const pdf = (world: World, id: string): Reply => {
  const invoice = world.store.get('invoice', id)
  if (!invoice) throw missing('invoice', id)
  const name = `invoice-${invoice.number ?? 'draft'}.pdf`
  return {
    status: 200,
    body: invoicePdf(invoice),
    type: 'application/pdf',
    headers: { 'content-disposition': `inline; filename="${name}"` },
  }
}

export async function controlRoutes(control: Control): Promise<Reply | undefined> {
  const { method, url, world, log, faults, webhooks, body } = control
  const call = `${method} ${url.pathname}`
  const file = method === 'GET' ? servedAsset(url.pathname) : undefined
  if (file) return { status: 200, ...file }
  const [, invoice] = /^GET \/sandbox\/invoices\/(in_\w+)\/pdf$/.exec(call) ?? []
  if (invoice) return pdf(world, invoice)
  switch (call) {
    case 'GET /sandbox':
      return page(asset('start.html').toString(), pagePolicy)
    case 'GET /sandbox/requests':
      return page(asset('log.html').toString(), pagePolicy)
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
      faults.clear()
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
      return json({ now: wallTime(world), offset: setting(world, 'clock_offset') ?? 0 })
    case 'POST /sandbox/settings':
      return settings(control)
    default:
      return threeDSecureRoutes(control)
  }
}
