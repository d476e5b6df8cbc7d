import type { SandboxContext } from '../../context.ts'
import { sumOf } from './decimal.ts'

/** The usage of a customer on a meter, from start to before end. */
export function usageOf(
  context: SandboxContext,
  meterId: string | null,
  customer: string,
  start: number,
  end: number,
): number {
  const meter = meterId === null ? undefined : context.store.get('billing.meter', meterId)
  const events = context.store
    .all('billing.meter_event')
    .filter(
      event =>
        event.event_name === meter?.event_name &&
        event.payload.stripe_customer_id === customer &&
        event.timestamp >= start &&
        event.timestamp < end,
    )
  return sumOf(events.map(event => Number(event.payload.value ?? 0)))
}
