const day = 86_400_000
const minute = 60_000

/** What the payment provider takes of a meter: 35 days back, and clocks may differ by five minutes (payments.md). */
export const mayHaveOccurred = (at: Date, now: Date) =>
  at.getTime() >= now.getTime() - 35 * day && at.getTime() <= now.getTime() + 5 * minute

/** The month that counts, in UTC: 2026-11. */
export const monthOf = (now: Date) => now.toISOString().slice(0, 7)
