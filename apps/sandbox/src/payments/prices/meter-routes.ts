import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid, missing } from '../../http/api-error.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { Meter, MeterEvent } from '../../objects/billing-objects.ts'
import { newId } from '../../objects/ids.ts'
import { emitEvent } from '../events/emit-event.ts'
import { clockOfCustomer } from '../find-by-id.ts'
import { aggregate, meterEvents } from './usage.ts'

const day = 86_400

function meterById(context: SandboxContext, id: string): Meter {
  const meter = context.store.get('billing.meter', id)
  if (!meter) throw missing('billing meter', id)
  return meter
}

route<Stripe.Billing.MeterCreateParams>(
  'POST',
  '/v1/billing/meters',
  'MeterCreateParams',
  ({ context, params }) => {
    if (
      context.store
        .all('billing.meter')
        .some(one => one.event_name === params.event_name && one.status === 'active')
    )
      throw invalid(
        `There is already an active meter with the event name '${params.event_name}'.`,
        'event_name',
        'resource_already_exists',
      )
    const created = sandboxTime(context)
    const formula = params.default_aggregation.formula
    const meter = newObject<Meter>('Meter', 'mtr', {
      created,
      display_name: params.display_name,
      event_name: params.event_name,
      default_aggregation: { formula: formula === 'count' ? 'count' : formula === 'last' ? 'last' : 'sum' },
      customer_mapping: {
        event_payload_key: params.customer_mapping?.event_payload_key ?? 'stripe_customer_id',
        type: 'by_id',
      },
      value_settings: { event_payload_key: params.value_settings?.event_payload_key ?? 'value' },
      status: 'active',
    })
    Object.assign(meter, { updated: created, event_time_window: params.event_time_window ?? null })
    emitEvent(context, 'billing.meter.created', context.store.save(meter))
    return meter
  },
)

route<Stripe.Billing.MeterListParams>(
  'GET',
  '/v1/billing/meters',
  'MeterListParams',
  ({ context, params, path }) =>
    paginate(
      context.store.all('billing.meter').filter(one => !params.status || one.status === params.status),
      path,
      params,
    ),
)

route<Stripe.Billing.MeterListEventSummariesParams>(
  'GET',
  '/v1/billing/meters/:id/event_summaries',
  'MeterListEventSummariesParams',
  ({ context, params, id, path }) => {
    const meter = meterById(context, id)
    const { customer, start_time: start, end_time: end, value_grouping_window: grouping } = params
    if (end <= start) throw invalid('end_time must be after start_time.', 'end_time')
    const step = grouping === 'hour' ? 3_600 : grouping === 'day' ? day : end - start
    const rows = []
    for (let from = start; from < end; from += step) {
      const until = Math.min(from + step, end)
      const events = meterEvents(context, meter, customer, from, until)
      if (events.length === 0 && grouping) continue
      const summary = {
        id: newId('mtrusg'),
        object: 'billing.meter_event_summary',
        created: from,
        livemode: false,
        meter: meter.id,
      }
      rows.push({ ...summary, aggregated_value: aggregate(meter, events), start_time: from, end_time: until })
    }
    const list = paginate(rows, path, params)
    return { ...list, data: list.data.map(({ created: _created, ...summary }) => summary) }
  },
)

function assertMeterEvent(
  context: SandboxContext,
  meter: Meter,
  params: Stripe.Billing.MeterEventCreateParams,
  timestamp: number,
  current: number,
) {
  const customerKey = meter.customer_mapping.event_payload_key
  const valueKey = meter.value_settings.event_payload_key
  const customer = params.payload[customerKey]
  if (!customer)
    throw invalid(
      `The payload needs the key '${customerKey}'.`,
      `payload[${customerKey}]`,
      'parameter_missing',
    )
  const known = context.store.get('customer', customer)
  if (!known || known.deleted)
    throw invalid(`No such customer: '${customer}'`, `payload[${customerKey}]`, 'resource_missing')
  const value = params.payload[valueKey]
  if (meter.default_aggregation.formula !== 'count' && !/^\d+(\.\d+)?$/.test(value ?? ''))
    throw invalid(`The payload needs a number as '${valueKey}'.`, `payload[${valueKey}]`)
  if (timestamp > current + 300)
    throw invalid('The timestamp is more than 5 minutes in the future.', 'timestamp', 'timestamp_in_future')
  if (timestamp < current - 35 * day)
    throw invalid('The timestamp is more than 35 days in the past.', 'timestamp', 'timestamp_too_far_in_past')
}

route<Stripe.Billing.MeterEventCreateParams>(
  'POST',
  '/v1/billing/meter_events',
  'MeterEventCreateParams',
  ({ context, params }) => {
    const meter = context.store
      .all('billing.meter')
      .find(one => one.event_name === params.event_name && one.status === 'active')
    if (!meter)
      throw invalid(`No active meter found for event name '${params.event_name}'.`, 'event_name', 'no_meter')
    const customer = params.payload[meter.customer_mapping.event_payload_key] ?? null
    const current = currentTime(context, clockOfCustomer(context, customer))
    const timestamp = params.timestamp ?? current
    assertMeterEvent(context, meter, params, timestamp, current)
    const identifier = params.identifier ?? newId('mev')
    const twin = context.store.get('billing.meter_event', `mev_${identifier}`)
    if (twin && twin.created > current - day)
      throw invalid(
        `An event already exists with identifier ${identifier}.`,
        'identifier',
        'duplicate_meter_event',
      )
    const event = newObject<MeterEvent>('MeterEvent', 'mev', {
      id: `mev_${identifier}`,
      created: current,
      event_name: params.event_name,
      identifier,
      payload: { ...params.payload },
      timestamp,
    })
    context.store.save(event)
    const { id: _id, ...wire } = event
    return wire
  },
)
