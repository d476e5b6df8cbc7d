import { currentTime, type SandboxContext } from '../context.ts'
import {
  earliestStep,
  nextInvoiceStep,
  nextSubscriptionStep,
} from './subscriptions/subscription-lifecycle.ts'

/**
 * Advances one clock (null: the sandbox's). Runs each due step at its own time and in order, so that the result does not
 * depend on the number of calls.
 */
export function advanceTime(context: SandboxContext, clock: string | null, target: number) {
  const { store } = context
  const outer = context.movingClock
  context.movingClock = { clock, time: currentTime(context, clock) }
  try {
    for (;;) {
      const subscriptions = store.all('subscription').filter(one => one.test_clock === clock)
      const invoices = store.all('invoice').filter(one => one.test_clock === clock)
      const due = earliestStep([
        ...invoices.map(one => nextInvoiceStep(context, one)),
        ...subscriptions.map(one => nextSubscriptionStep(context, one)),
      ])
      if (!due || due.at > target) break
      context.movingClock.time = Math.max(context.movingClock.time, due.at)
      due.run()
    }
  } finally {
    context.movingClock = outer
  }
}
