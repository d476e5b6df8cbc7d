import type { SandboxContext } from '../../context.ts'
import type { Meter, MeterEvent } from '../../objects/billing-objects.ts'
import { sumOf } from './decimal.ts'

/** Events of a customer on a meter, from start to before end. */
export function meterEvents(
  context: SandboxContext,
  meter: Meter,
  customer: string,
  start: number,
  end: number,
): MeterEvent[] {
  return context.store
    .all('billing.meter_event')
    .filter(
      event =>
        event.event_name === meter.event_name &&
        event.payload[meter.customer_mapping.event_payload_key] === customer &&
        event.timestamp >= start &&
        event.timestamp < end,
    )
}

export function aggregate(meter: Meter, events: readonly MeterEvent[]): number {
  const values = events.map(event => Number(event.payload[meter.value_settings.event_payload_key] ?? 0))
  if (meter.default_aggregation.formula === 'count') return values.length
  if (meter.default_aggregation.formula === 'last') return values.at(-1) ?? 0
  return sumOf(values)
}

export function usageOf(
  context: SandboxContext,
  meterId: string | null,
  customer: string,
  start: number,
  end: number,
): number {
  const meter = meterId === null ? undefined : context.store.get('billing.meter', meterId)
  return meter ? aggregate(meter, meterEvents(context, meter, customer, start, end)) : 0
}
