/** The middle value: one slow slice on a busy machine changes nothing. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/**
 * Measures two things in turns, so that whatever else the machine does meets both. The order changes each round.
 * @returns the samples of each, by round
 */
export async function inTurns<T>(
  rounds: number,
  ours: () => Promise<T>,
  floor: () => Promise<T>,
): Promise<{ ours: T; floor: T }[]> {
  const taken: { ours: T; floor: T }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2) {
      const first = await floor()
      taken.push({ ours: await ours(), floor: first })
    } else {
      const first = await ours()
      taken.push({ ours: first, floor: await floor() })
    }
  }
  return taken
}

/** The median over the rounds of ours divided by the floor's. */
export function ratio<T>(rounds: { ours: T; floor: T }[], pick: (sample: T) => number): number {
  return median(rounds.map(round => pick(round.ours) / pick(round.floor)))
}

export const middleOf = <T>(samples: T[], pick: (sample: T) => number) => median(samples.map(pick))

/**
 * How likely samples of one and the same distribution are to lie at least this far apart (Mann-Whitney's U, both
 * sides, by the normal approximation: for some dozens of samples and more).
 */
export function sameDistribution(a: number[], b: number[]): number {
  const all = [...a.map(value => ({ value, of: 'a' })), ...b.map(value => ({ value, of: 'b' }))]
  all.sort((one, other) => one.value - other.value)
  let ranksOfA = 0
  let ties = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.value === all[start]?.value) end++
    const tied = end - start
    // Equal values share the middle of their ranks.
    ranksOfA += all.slice(start, end).filter(({ of }) => of === 'a').length * ((start + end + 1) / 2)
    ties += tied ** 3 - tied
    start = end
  }
  const n = all.length
  const u = ranksOfA - (a.length * (a.length + 1)) / 2
  const variance = ((a.length * b.length) / 12) * (n + 1 - ties / (n * (n - 1)))
  if (variance === 0) return 1
  return 2 * upperTail(Math.abs(u - (a.length * b.length) / 2) / Math.sqrt(variance))
}

/** Upper tail probability of the standard normal distribution (Abramowitz and Stegun 26.2.17, accurate to 7 digits). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z)
  const steps = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = steps.reduceRight((rest, step) => (rest + step) * t, 0)
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
