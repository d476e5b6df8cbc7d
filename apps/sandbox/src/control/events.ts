import { missing } from '../http/api-error.ts'
import { isRecord } from '../is-record.ts'
import type { Mischief } from '../payments/webhooks.ts'
import type { World } from '../world.ts'
import type { Control, Reply } from './reply.ts'

const shown = 60

const subjectOf = (object: unknown) =>
  isRecord(object) ? { object: object.object, id: object.id ?? null } : { object: null, id: null }

/** The newest events, each with what became of it at every endpoint that wanted it. */
export function newestEvents(world: World) {
  const events = world.store.all('event').slice(-shown).reverse()
  const deliveries = Map.groupBy(world.store.all('delivery'), one => one.event)
  return events.map(event => ({
    id: event.id,
    type: event.type,
    created: event.created,
    subject: subjectOf(event.data.object),
    deliveries: (deliveries.get(event.id) ?? []).map(
      ({ endpoint, state, attempts, lastStatus, lastError }) => ({
        url: world.store.get('webhook_endpoint', endpoint)?.url ?? null,
        ...{ state, attempts, last_status: lastStatus, last_error: lastError },
      }),
    ),
  }))
}

const counts = ['duplicate', 'delay_ms', 'fail', 'lose'] as const

function setMischief(mischief: Mischief, body: Control['body']) {
  for (const name of counts) if (body[name] !== undefined) mischief[name] = Number(body[name])
  if (body.reorder !== undefined) mischief.reorder = body.reorder === true || body.reorder === 'true'
}

/** Sets what happens to webhooks on their way, and sends one again. */
export function webhookControl({ world, webhooks, body }: Control): Reply {
  setMischief(webhooks.mischief, body)
  if (typeof body.resend === 'string') {
    const event = world.store.get('event', body.resend)
    if (!event) throw missing('event', body.resend)
    webhooks.resend(event)
  }
  return { status: 200, body: { ...webhooks.mischief } }
}
