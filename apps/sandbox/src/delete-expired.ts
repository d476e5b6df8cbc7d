import { type SandboxContext, sandboxTime } from './context.ts'

const day = 86_400

/** Like Stripe, deletes idempotency keys after a day and events after thirty days. */
export function deleteExpired(context: SandboxContext) {
  const { store } = context
  const now = sandboxTime(context)
  for (const kept of store.all('stored_reply'))
    if (kept.created < now - day) store.remove('stored_reply', kept.id)
  for (const event of store.all('event')) {
    // Events are in order of creation, but those of a test clock have its time.
    if (event.created >= now - 30 * day) break
    if (event.pending_webhooks === 0) store.remove('event', event.id)
  }
  for (const delivery of store.all('delivery'))
    if (delivery.state !== 'pending' && !store.get('event', delivery.event))
      store.remove('delivery', delivery.id)
}
