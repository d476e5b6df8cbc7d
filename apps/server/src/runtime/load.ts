/**
 * Tells whether signed-in users call, so that password hashing leaves one core free for them. Benchmark row: `others`
 * (docs/decisions/0031).
 */

/** Two calls within this time count as traffic. */
const nearMs = 50
let newest = Number.NEGATIVE_INFINITY
let secondNewest = Number.NEGATIVE_INFINITY

/** Records a call of a signed-in user. */
export function recordRequest() {
  secondNewest = newest
  newest = performance.now()
}

export const isBusy = () => performance.now() - secondNewest < nearMs
