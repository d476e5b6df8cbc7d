import { plain } from '../http/wire.ts'
import { newId } from '../ids.ts'
import type { Delivery, Stored } from '../kinds.ts'
import type { StripeEvent } from '../objects.ts'
import { apiVersion } from '../schema/definitions.ts'
import { make, now, type World } from '../world.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const clockOf = (object: Stored) =>
  'test_clock' in object && typeof object.test_clock === 'string' ? object.test_clock : null

/** A copy to compare with later, taken before a change. */
export const snapshot = (object: Stored): Record<string, unknown> => {
  const copy = plain(object)
  return isObject(copy) ? copy : {}
}

function changedFields(object: Stored, before: Record<string, unknown>) {
  const after = snapshot(object)
  const previous: Record<string, unknown> = {}
  for (const key of Object.keys({ ...before, ...after }))
    if (JSON.stringify(before[key]) !== JSON.stringify(after[key])) previous[key] = before[key] ?? null
  return previous
}

/** Records that something happened and queues it for every endpoint that wants to know. */
export function emit(
  world: World,
  type: string,
  object: Stored,
  { previous, at }: { previous?: Record<string, unknown>; at?: number } = {},
) {
  const endpoints = world.store
    .all('webhook_endpoint')
    .filter(one => one.status === 'enabled' && one.enabled_events.some(name => name === '*' || name === type))
  const event = make<StripeEvent>('EventBase', 'evt', {
    created: at ?? now(world, clockOf(object)),
    type,
    api_version: apiVersion,
    data: { object: plain(object), ...(previous && { previous_attributes: previous }) },
    pending_webhooks: endpoints.length,
    request: world.request ?? { id: null, idempotency_key: null },
  })
  world.store.save(event)
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
    world.outbox.push(world.store.save(delivery))
  }
}

/** Saves a changed object and tells of it, with what it was before; silent when nothing changed. */
export function saveChanged(world: World, type: string, object: Stored, before: Record<string, unknown>) {
  world.store.save(object)
  const previous = changedFields(object, before)
  if (Object.keys(previous).length > 0) emit(world, type, object, { previous })
}
