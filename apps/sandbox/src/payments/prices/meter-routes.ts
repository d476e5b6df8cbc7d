import type Stripe from 'stripe'
import { currentTime, newObject, type SandboxContext, sandboxTime } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import { findById, isWanted, listRoute } from '../../http/object-routes.ts'
import { paginate } from '../../http/render-object.ts'
import { route } from '../../http/route.ts'
import type { MeterEvent } from '../../objects/billing-objects.ts'
import { newId } from '../../objects/ids.ts'
import type { Meter } from '../../objects/stored-objects.ts'
import { emitEvent } from '../events/emit-event.ts'
import { clockOfCustomer, customerById } from '../find-by-id.ts'
import { usageOf } from './usage.ts'

const day = 86_400

route<Stripe.Billing.MeterCreateParams>(
  'POST',
  '/v1/billing/meters',
  'MeterCreateParams',
  ({ context, params: { display_name, event_name } }) => {
    const meters = context.store.all('billing.meter')
    if (meters.some(one => one.event_name === event_name))
      throw invalid(
        `There is already an active meter with the event name '${event_name}'.`,
        'event_name',
        'resource_already_exists',
      )
    const created = sandboxTime(context)
    const meter = newObject<Meter>('Meter', 'mtr', {
      created,
      updated: created,
      display_name,
      event_name,
      default_aggregation: { formula: 'sum' },
      customer_mapping: { event_payload_key: 'stripe_customer_id', type: 'by_id' },
      value_settings: { event_payload_key: 'value' },
      status: 'active',
    })
    emitEvent(context, 'billing.meter.created', context.store.save(meter))
    return meter
  },
)

listRoute('billing.meter', (one, { status }: Stripe.Billing.MeterListParams) => isWanted(status, one.status))

route<Stripe.Billing.MeterListEventSummariesParams>(
  'GET',
  '/v1/billing/meters/:id/event_summaries',
  'MeterListEventSummariesParams',
  ({ context, params, id, path }) => {
    const meter = findById(context, 'billing.meter', id)
    const { customer, start_time, end_time } = params
    const summary = {
      id: newId('mtrusg'),
      object: 'billing.meter_event_summary',
      livemode: false,
      meter: meter.id,
      aggregated_value: usageOf(context, meter.id, customer, start_time, end_time),
      start_time,
      end_time,
    }
    return paginate([summary], path, params)
  },
)

function assertMeterEvent(
  context: SandboxContext,
  { payload: { stripe_customer_id: customer, value = '' } }: Stripe.Billing.MeterEventCreateParams,
  timestamp: number,
  current: number,
) {
  if (!customer)
    throw invalid(
      "The payload needs the key 'stripe_customer_id'.",
      'payload[stripe_customer_id]',
      'parameter_missing',
    )
  customerById(context, customer, 'payload[stripe_customer_id]')
  if (!/^\d+(\.\d+)?$/.test(value)) throw invalid("The payload needs a number as 'value'.", 'payload[value]')
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
    if (!context.store.all('billing.meter').some(one => one.event_name === params.event_name))
      throw invalid(`No active meter found for event name '${params.event_name}'.`, 'event_name', 'no_meter')
    const customer = params.payload.stripe_customer_id ?? null
    const current = currentTime(context, clockOfCustomer(context, customer))
    const timestamp = params.timestamp ?? current
    assertMeterEvent(context, params, timestamp, current)
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
