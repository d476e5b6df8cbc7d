import { type World, wallTime } from './world.ts'

const day = 86_400

/** Stripe forgets keys after a day and events after thirty; so a sandbox that runs for months stays small. */
export function forgetOld(world: World) {
  const { store } = world
  const now = wallTime(world)
  for (const kept of store.all('kept_answer'))
    if (kept.created < now - day) store.remove('kept_answer', kept.id)
  for (const event of store.all('event')) {
    // events of a test clock bear its time: only what the sandbox's own clock calls old may go
    if (event.created >= now - 30 * day) break
    if (event.pending_webhooks === 0) store.remove('event', event.id)
  }
  for (const delivery of store.all('delivery'))
    if (delivery.state !== 'pending' && !store.get('event', delivery.event))
      store.remove('delivery', delivery.id)
}
