/** One key of a try: how many failures are free, and how long they count. */
export type Braked = { key: string; free: number; tight: number; seconds: number }
/** What the try has made of a key: past its free ones it is held by this try alone. */
type Count = { failures: number; held: boolean }
export type Taken = { wait: number } | { counts: Record<string, Count> }

/** How often a budget was drawn on since it began, and the milliseconds until it begins anew. */
export type Drawn = { points: number; wait: number }

/** Where failures are counted. Both do the same, each in one step that nobody comes between. */
export type BrakeStore = {
  /** @param shared a key whose pause is short for a try that has no failures under its first key */
  take(now: Date, keys: Braked[], crowd: { key: string; free: number }, shared: string | null): Promise<Taken>
  fail(now: Date, keys: string[], crowd: string | null): Promise<void>
  release(keys: string[], held: string[], cleared: string | null): Promise<void>
  /** Releases after a right password, and draws it from a budget. */
  releaseAndDraw(
    now: Date,
    keys: string[],
    held: string[],
    cleared: string,
    budget: { key: string; seconds: number },
  ): Promise<Drawn>
}
