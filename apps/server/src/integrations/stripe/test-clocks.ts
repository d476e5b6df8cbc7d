import type { Call } from './client.ts'
import { secondsOf } from './shapes.ts'

/** Calls for test clocks: a customer with a clock that only we move. */
export function testClockCalls(call: Call) {
  return {
    /** @returns the id of a clock that stays at that moment until it is moved */
    createClock: (at: Date, key: string): Promise<string> =>
      call(async stripe => {
        const params = { frozen_time: secondsOf(at) }
        const clock = await stripe.testHelpers.testClocks.create(params, { idempotencyKey: `clock:${key}` })
        return clock.id
      }),

    /** Moves a clock forward; everything due on the way happens. */
    moveClock: (clock: string, to: Date, key: string): Promise<void> =>
      call(async stripe => {
        const idempotencyKey = `move:${key}`
        await stripe.testHelpers.testClocks.advance(clock, { frozen_time: secondsOf(to) }, { idempotencyKey })
      }),

    /**
     * Creates a customer with a test clock.
     * @returns its id
     */
    createClockedCustomer: (accountId: string, clock: string, key: string): Promise<string> =>
      call(async stripe => {
        const params = { metadata: { account_id: accountId }, test_clock: clock }
        return (await stripe.customers.create(params, { idempotencyKey: `customer:${key}` })).id
      }),
  }
}
