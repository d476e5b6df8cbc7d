import { AsyncLocalStorage } from 'node:async_hooks'

/** The user gets a reply within ten seconds; the rest is for the database and the network. */
export const requestMs = 9000

/**
 * One deadline for all provider calls of a request, so that slow calls do not add up. Jobs have no deadline.
 * @param now monotonic clock in milliseconds
 */
export function makeDeadline(now: () => number) {
  const ends = new AsyncLocalStorage<number>()
  return {
    withRequestDeadline: <T>(run: () => Promise<T>): Promise<T> => ends.run(now() + requestMs, run),

    /**
     * Timeout of the next call in milliseconds.
     * @param whole the timeout without a deadline
     */
    remainingTime(whole: number): number {
      const end = ends.getStore()
      return end === undefined ? whole : Math.min(whole, end - now())
    },
  }
}
