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
