import type { Candidate } from '../context.ts'

/** One key of a try: how many failures are free, and how long they count. */
export type Braked = { key: string; free: number; tight: number; seconds: number }
/** What the try has made of a key: past its free ones it is held by this try alone. */
type Count = { failures: number; held: boolean }
export type Taken = { wait: number } | { counts: Record<string, Count> }
export type Begun = { candidates: Candidate[]; knows_browser: boolean; taken: Taken }

/** A try at the password of an address. `browser`: the one that asks; `most`: on so many of the address's rows. */
export type Guess = { now: Date; email: string; most: number; network: string; browser: Buffer | null }

/** How often a budget was drawn on since it began, and the milliseconds until it begins anew. */
export type Drawn = { points: number; wait: number }

/** Where failures are counted. Both do the same, each in one step that nobody comes between. */
export type BrakeStore = {
  /**
   * Finds whom an address may sign in, and begins a try: counted under the first key alone for a browser that its owner
   * has signed in with before, else under all the others.
   * @param shared a key whose pause is short for a try that has no failures under its first key
   */
  begin(
    guess: Omit<Guess, 'network'>,
    keys: [known: Braked, ...unknown: Braked[]],
    crowd: { key: string; free: number },
    shared: string,
  ): Promise<Begun>
  fail(now: Date, keys: string[], crowd: string | null): Promise<void>
  release(keys: string[], held: string[]): Promise<void>
  /** Releases after a right password, and draws it from a budget; null: the session's own statement does both. */
  succeed:
    | ((
        now: Date,
        keys: string[],
        held: string[],
        cleared: string,
        budget: { key: string; seconds: number },
      ) => Promise<Drawn>)
    | null
}
