import { api } from '../../lib/api/client.ts'

/** Records a product event. The visitor never waits for it and never hears of its failure. */
export function track(name: string, metadata?: Record<string, string | number | boolean | null>): void {
  api.events.track({ body: { name, metadata }, keepalive: true }).catch(console.error)
}
