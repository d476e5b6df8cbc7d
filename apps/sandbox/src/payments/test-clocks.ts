import type Stripe from 'stripe'
import { newObject, type SandboxContext, sandboxTime } from '../context.ts'
import { invalid } from '../http/api-error.ts'
import { findById, listRoute } from '../http/object-routes.ts'
import { route } from '../http/route.ts'
import type { TestClock } from '../objects/stored-objects.ts'
import { advanceTime } from './advance-time.ts'
import { emitEvent } from './events/emit-event.ts'
import { customerById } from './find-by-id.ts'
import { shortest } from './subscriptions/periods.ts'

const day = 86_400

function moveCustomer(context: SandboxContext, id: string, clock: TestClock) {
  const customer = customerById(context, id, 'customer')
  if (customer.test_clock) throw invalid('This customer already has a test clock.', 'customer')
  customer.test_clock = clock.id
  context.store.save(customer)
  for (const subscription of context.store.all('subscription'))
    if (subscription.customer === id)
      context.store.save(Object.assign(subscription, { test_clock: clock.id }))
  for (const invoice of context.store.all('invoice'))
    if (invoice.customer === id) context.store.save(Object.assign(invoice, { test_clock: clock.id }))
}

route<Stripe.TestHelpers.TestClockCreateParams>(
  'POST',
  '/v1/test_helpers/test_clocks',
  'TestClockCreateParams',
  ({ context, params }) => {
    const created = sandboxTime(context)
    const clock = newObject<TestClock>('TestClock', 'clock', {
      created,
      frozen_time: params.frozen_time,
      status: 'ready',
      status_details: {},
      deletes_after: created + 30 * day,
    })
    if (params.customer) moveCustomer(context, params.customer, clock)
    emitEvent(context, 'test_helpers.test_clock.created', context.store.save(clock))
    return clock
  },
)

listRoute('test_helpers.test_clock', () => true)

/** As at Stripe, a clock advances by at most two of the shortest intervals on it. */
function assertReach(context: SandboxContext, clock: TestClock, target: number) {
  if (target <= clock.frozen_time) throw invalid('A test clock only goes forward.', 'frozen_time')
  const cycles = context.store
    .all('subscription')
    .filter(one => one.test_clock === clock.id && one.ended_at === null)
    .flatMap(one => one.items.data.flatMap(item => item.price.recurring ?? []))
  // Months count as 31 days and years as 366: the limit only prevents many renewals at once.
  if (cycles.length > 0 && target > clock.frozen_time + 2 * (shortest(cycles) + 3 * day))
    throw invalid(
      'You may only advance up to two intervals, relative to the shortest subscription on the clock.',
      'frozen_time',
    )
}

route<Stripe.TestHelpers.TestClockAdvanceParams>(
  'POST',
  '/v1/test_helpers/test_clocks/:id/advance',
  'TestClockAdvanceParams',
  ({ context, params, id }) => {
    const clock = findById(context, 'test_helpers.test_clock', id)
    assertReach(context, clock, params.frozen_time)
    advanceTime(context, id, params.frozen_time)
    clock.frozen_time = params.frozen_time
    emitEvent(context, 'test_helpers.test_clock.ready', context.store.save(clock))
    return clock
  },
)
