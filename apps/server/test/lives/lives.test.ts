import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { begin } from './life.ts'
import { play } from './play.ts'
import { kept, seeds } from './seeds.ts'
import { aLife, type Step } from './steps.ts'
import { makeTown } from './town.ts'
import { settle, truths } from './truths.ts'

const town = await makeTown()

/** Looks for the shortest life that shows the same: minutes, for whoever has a failing seed and wants to keep it. */
const shorten = process.env.LIVES_SHORTEN === '1'
const patience = shorten ? 900_000 : 60_000

/** Lives a life to its end. @throws with its diary when anything is not as it has to be */
async function live(steps: readonly Step[]) {
  const life = await begin(town)
  for (const step of steps) await play(life, step)
  await settle(life)
  const wrong = await truths(life)
  expect(wrong, `${life.diary.join('\n')}\n`).toEqual([])
}

describe('any life ends as the provider says, and nothing is paid twice [F-01] [F-06] [T-62]', () => {
  it.each(kept)('$showed', { timeout: patience }, ({ life }) => live(life))
  it.each(seeds)('life %i', { timeout: patience }, seed =>
    fc.assert(fc.asyncProperty(aLife, live), {
      seed,
      numRuns: 1,
      endOnFailure: !shorten,
      interruptAfterTimeLimit: patience - 10_000,
    }),
  )
})
