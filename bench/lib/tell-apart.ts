import { type Call, timeEach } from './load.ts'
import { median, sameDistribution } from './measure.ts'

const timed = 200
const warmUps = 20
/** How many pairs are asked for, each once. */
export const pairs = warmUps + timed

/** `same`: how likely one and the same distribution is to give the times of both; and the median milliseconds of each. */
export type Apart = { same: number; one: number; other: number }

/**
 * Whether time tells two kinds of calls apart: 200 of each in turns, after others to warm up. Which of a pair is asked first is left to chance:
 * what one leaves to do meets the other as often as its like.
 */
export async function tellApart(
  port: number,
  pair: (n: number) => { one: Call; other: Call },
): Promise<Apart> {
  const asked = Array.from({ length: pairs }, (_, n) => {
    const { one, other } = pair(n)
    const both = [
      { call: one, isOne: true },
      { call: other, isOne: false },
    ]
    return Math.random() < 0.5 ? both : both.reverse()
  }).flat()
  const ask = (some: typeof asked) =>
    timeEach(
      port,
      some.map(({ call }) => call),
    )
  await ask(asked.slice(0, 2 * warmUps))
  const measured = asked.slice(2 * warmUps)
  const times = await ask(measured)
  const of = (wanted: boolean) => times.filter((_, n) => measured[n]?.isOne === wanted)
  const [one, other] = [of(true), of(false)]
  return { same: sameDistribution(one, other), one: median(one), other: median(other) }
}
