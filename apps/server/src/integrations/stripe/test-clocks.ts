import type { Call } from './client.ts'
import { secondsOf } from './shapes.ts'

/** The verbs of made-up time, which the provider has beside real money's: a customer's own clock, moved by us alone. */
export function testClockCalls(call: Call) {
  return {
    /** @returns the id of a clock that stands at that moment until it is moved */
    createClock: (at: Date, key: string): Promise<string> =>
      call(async stripe => {
        const params = { frozen_time: secondsOf(at) }
        const clock = await stripe.testHelpers.testClocks.create(params, { idempotencyKey: `clock:${key}` })
        return clock.id
      }),

    /** Moves a clock forward; all that falls due on the way happens. */
    moveClock: (clock: string, to: Date, key: string): Promise<void> =>
      call(async stripe => {
        const idempotencyKey = `move:${key}`
        await stripe.testHelpers.testClocks.advance(clock, { frozen_time: secondsOf(to) }, { idempotencyKey })
      }),

    /** A customer who lives by a clock. @returns the customer's id */
    createClockedCustomer: (accountId: string, clock: string, key: string): Promise<string> =>
      call(async stripe => {
        const params = { metadata: { account_id: accountId }, test_clock: clock }
        return (await stripe.customers.create(params, { idempotencyKey: `customer:${key}` })).id
      }),
  }
}
