import { AsyncLocalStorage } from 'node:async_hooks'

/** A visitor is told something within ten seconds; what is left of them is for the database and the way back. */
export const requestMs = 9000

/**
 * The time that everything shares which one request asks of the provider: slow calls must not add up to more than
 * anybody waits for. Jobs have nobody who waits, and no such end.
 * @param now milliseconds of a clock that nobody turns
 */
export function makeDeadline(now: () => number) {
  const ends = new AsyncLocalStorage<number>()
  return {
    /** Runs what a visitor waits for. */
    withRequestDeadline: <T>(run: () => Promise<T>): Promise<T> => ends.run(now() + requestMs, run),

    /** How long one call to the provider may take, in milliseconds. @param whole as long as one may take at all */
    remainingTime(whole: number): number {
      const end = ends.getStore()
      return end === undefined ? whole : Math.min(whole, end - now())
    },
  }
}
