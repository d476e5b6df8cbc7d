import type Stripe from 'stripe'
import { invalid, missing, missingReference } from '../http/api-error.ts'
import { route } from '../http/routes.ts'
import { page } from '../http/wire.ts'
import type { TestClock } from '../objects.ts'
import { make, type World, wallTime } from '../world.ts'
import { deleteCustomer } from './customers.ts'
import { emit } from './events.ts'
import { shortest } from './periods.ts'
import { passTime } from './time.ts'

const day = 86_400

function clockById(world: World, id: string): TestClock {
  const clock = world.store.get('test_helpers.test_clock', id)
  if (!clock) throw missing('test clock', id)
  return clock
}

function moveCustomer(world: World, id: string, clock: TestClock) {
  const customer = world.store.get('customer', id)
  if (!customer || customer.deleted) throw missingReference('customer', id, 'customer')
  if (customer.test_clock) throw invalid('This customer already has a test clock.', 'customer')
  customer.test_clock = clock.id
  world.store.save(customer)
  for (const subscription of world.store.all('subscription'))
    if (subscription.customer === id) world.store.save(Object.assign(subscription, { test_clock: clock.id }))
  for (const invoice of world.store.all('invoice'))
    if (invoice.customer === id) world.store.save(Object.assign(invoice, { test_clock: clock.id }))
}

route<Stripe.TestHelpers.TestClockCreateParams>(
  'POST',
  '/v1/test_helpers/test_clocks',
  'TestClockCreateParams',
  ({ world, params }) => {
    const created = wallTime(world)
    const clock = make<TestClock>('TestClock', 'clock', {
      created,
      frozen_time: params.frozen_time,
      name: params.name ?? null,
      status: 'ready',
      deletes_after: created + 30 * day,
    })
    Object.assign(clock, { status_details: {} })
    if (params.customer) moveCustomer(world, params.customer, clock)
    emit(world, 'test_helpers.test_clock.created', world.store.save(clock))
    return clock
  },
)

route<Stripe.TestHelpers.TestClockListParams>(
  'GET',
  '/v1/test_helpers/test_clocks',
  'TestClockListParams',
  ({ world, params, path }) => page(world.store.all('test_helpers.test_clock'), path, params),
)

route('DELETE', '/v1/test_helpers/test_clocks/:id', 'TestClockDeleteParams', ({ world, id }) => {
  const clock = clockById(world, id)
  for (const customer of world.store.all('customer'))
    if (customer.test_clock === id && !customer.deleted) deleteCustomer(world, customer)
  world.store.remove('test_helpers.test_clock', id)
  emit(world, 'test_helpers.test_clock.deleted', clock)
  return { id, object: 'test_helpers.test_clock', deleted: true }
})

/** Stripe lets a clock move by at most two of the shortest interval that runs on it. */
function assertReach(world: World, clock: TestClock, target: number) {
  if (target <= clock.frozen_time) throw invalid('A test clock only goes forward.', 'frozen_time')
  const cycles = world.store
    .all('subscription')
    .filter(one => one.test_clock === clock.id && one.ended_at === null)
    .flatMap(one => one.items.data.flatMap(item => item.price.recurring ?? []))
  // months are counted as 31 days and years as 366: the limit guards against years of renewals, not against a long month
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
  ({ world, params, id }) => {
    const clock = clockById(world, id)
    assertReach(world, clock, params.frozen_time)
    passTime(world, id, params.frozen_time)
    clock.frozen_time = params.frozen_time
    emit(world, 'test_helpers.test_clock.ready', world.store.save(clock))
    return clock
  },
)
