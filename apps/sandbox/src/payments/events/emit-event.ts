import { currentTime, newObject, type SandboxContext } from '../../context.ts'
import { withoutPrivateFields } from '../../http/render-object.ts'
import { isRecord } from '../../is-record.ts'
import type { StripeEvent } from '../../objects/billing-objects.ts'
import { newId } from '../../objects/ids.ts'
import type { Delivery, Stored } from '../../objects/stored-objects.ts'
import { apiVersion } from '../../schema/definitions.ts'

const clockOf = (object: Stored) =>
  'test_clock' in object && typeof object.test_clock === 'string' ? object.test_clock : null

/** A copy taken before a change, to compare with. */
export const snapshot = (object: Stored): Record<string, unknown> => {
  const copy = withoutPrivateFields(object)
  return isRecord(copy) ? copy : {}
}

function changedFields(object: Stored, before: Record<string, unknown>) {
  const after = snapshot(object)
  const previous: Record<string, unknown> = {}
  for (const key of Object.keys({ ...before, ...after }))
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) previous[key] = before[key] ?? null
  return previous
}

/** Stores an event and queues it for every subscribed endpoint. */
export function emitEvent(
  context: SandboxContext,
  type: string,
  object: Stored,
  { previous, at }: { previous?: Record<string, unknown>; at?: number } = {},
) {
  const endpoints = context.store
    .all('webhook_endpoint')
    .filter(one => one.status === 'enabled' && one.enabled_events.some(name => name === '*' || name === type))
  const event = newObject<StripeEvent>('EventBase', 'evt', {
    created: at ?? currentTime(context, clockOf(object)),
    type,
    api_version: apiVersion,
    data: { object: withoutPrivateFields(object), ...(previous && { previous_attributes: previous }) },
    pending_webhooks: endpoints.length,
    request: context.request ?? { id: null, idempotency_key: null },
  })
  context.store.save(event)
  for (const endpoint of endpoints) {
    const delivery: Delivery = {
      object: 'delivery',
      id: newId('dlv'),
      created: event.created,
      event: event.id,
      endpoint: endpoint.id,
      state: 'pending',
      attempts: 0,
      lastStatus: null,
      lastError: null,
    }
    context.outbox.push(context.store.save(delivery))
  }
}

/** Saves an object and, if it changed, emits an event with the previous values. */
export function saveAndEmit(
  context: SandboxContext,
  type: string,
  object: Stored,
  before: Record<string, unknown>,
) {
  context.store.save(object)
  const previous = changedFields(object, before)
  if (Object.keys(previous).length > 0) emitEvent(context, type, object, { previous })
}
