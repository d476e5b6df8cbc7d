import type { SandboxContext } from '../context.ts'
import { missing } from '../http/api-error.ts'
import { isRecord } from '../is-record.ts'
import type { WebhookFaults } from '../payments/events/webhooks.ts'
import type { ControlCall, ControlReply } from './reply.ts'

const shown = 60

const subjectOf = (object: unknown) =>
  isRecord(object) ? { object: object.object, id: object.id ?? null } : { object: null, id: null }

/** The newest events with their deliveries. */
export function newestEvents(context: SandboxContext) {
  const events = context.store.all('event').slice(-shown).reverse()
  const deliveries = Map.groupBy(context.store.all('delivery'), one => one.event)
  return events.map(event => ({
    id: event.id,
    type: event.type,
    created: event.created,
    subject: subjectOf(event.data.object),
    deliveries: (deliveries.get(event.id) ?? []).map(
      ({ endpoint, state, attempts, lastStatus, lastError }) => ({
        url: context.store.get('webhook_endpoint', endpoint)?.url ?? null,
        ...{ state, attempts, last_status: lastStatus, last_error: lastError },
      }),
    ),
  }))
}

const counts = ['duplicate', 'delay_ms', 'fail', 'lose'] as const

function setWebhookFaults(faults: WebhookFaults, body: ControlCall['body']) {
  for (const name of counts) if (body[name] !== undefined) faults[name] = Number(body[name])
  if (body.reorder !== undefined) faults.reorder = body.reorder === true || body.reorder === 'true'
}

/** Sets the webhook faults, and sends an event again. */
export function webhookControl({ context, webhooks, body }: ControlCall): ControlReply {
  setWebhookFaults(webhooks.faults, body)
  if (typeof body.resend === 'string') {
    const event = context.store.get('event', body.resend)
    if (!event) throw missing('event', body.resend)
    webhooks.resend(event)
  }
  return { status: 200, body: { ...webhooks.faults } }
}
