import type { Meter, MeterEvent } from '../objects.ts'
import type { World } from '../world.ts'
import { sumOf } from './decimal.ts'

/** The events of one customer on one meter, from start up to but not including end. */
export function meterEvents(
  world: World,
  meter: Meter,
  customer: string,
  start: number,
  end: number,
): MeterEvent[] {
  return world.store
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
  world: World,
  meterId: string | null,
  customer: string,
  start: number,
  end: number,
): number {
  const meter = meterId === null ? undefined : world.store.get('billing.meter', meterId)
  return meter ? aggregate(meter, meterEvents(world, meter, customer, start, end)) : 0
}
