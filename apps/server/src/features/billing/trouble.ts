import type { World } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { isPaymentsError } from '../../outside/payments.ts'

/** Looks at the provider for a visitor, who is told when it doesn't answer. */
export async function orDown<T>(world: World, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (!isPaymentsError(error, 'down')) throw error
    world.log.warn({ err: error }, 'payment provider down')
    throw new Refusal('payment_provider_down', { retryAfter: 5 })
  }
}

/** All that a visitor's call asks of the provider shares the time of one answer. */
export const forVisitor = <T>(world: World, call: () => Promise<T>): Promise<T> =>
  world.outside.payments.forVisitor(call)
