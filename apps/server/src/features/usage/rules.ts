const day = 86_400_000
const minute = 60_000

/** The payment provider accepts usage up to 35 days old; clocks may differ by five minutes. */
export const mayHaveOccurred = (at: Date, now: Date) =>
  at.getTime() >= now.getTime() - 35 * day && at.getTime() <= now.getTime() + 5 * minute

/** The month in UTC, as 2026-11. */
export const monthOf = (now: Date) => now.toISOString().slice(0, 7)
