import { now, type World } from '../world.ts'
import { earliest, nextOfInvoice, nextOfSubscription } from './subscription-life.ts'

/**
 * Lets time pass for everything that follows one clock (null: the sandbox's own): does what falls due, in order,
 * each thing at its own moment, so that a month later looks the same however many steps led there.
 */
export function passTime(world: World, clock: string | null, target: number) {
  const { store } = world
  const outer = world.moving
  world.moving = { clock, time: now(world, clock) }
  try {
    for (;;) {
      const subscriptions = store.all('subscription').filter(one => one.test_clock === clock)
      const invoices = store.all('invoice').filter(one => one.test_clock === clock)
      const due = earliest([
        ...invoices.map(one => nextOfInvoice(world, one)),
        ...subscriptions.map(one => nextOfSubscription(world, one)),
      ])
      if (!due || due.at > target) break
      world.moving.time = Math.max(world.moving.time, due.at)
      due.run()
    }
  } finally {
    world.moving = outer
  }
}
