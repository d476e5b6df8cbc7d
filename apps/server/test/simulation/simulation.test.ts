import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeEnv } from './env.ts'
import { findViolations, settleAll } from './invariants.ts'
import { runStep } from './run-step.ts'
import { regressions, seeds } from './seeds.ts'
import { startSimulation } from './simulation.ts'
import { randomSteps, type Step } from './steps.ts'

const env = await makeEnv()

/** Searches for the shortest failing sequence, which takes minutes. */
const shrink = process.env.SIMULATION_SHORTEN === '1'
const timeoutMs = shrink ? 900_000 : 60_000

/** @throws with the log of the steps */
async function simulate(steps: readonly Step[]) {
  const sim = await startSimulation(env)
  for (const step of steps) await runStep(sim, step)
  await settleAll(sim)
  const wrong = await findViolations(sim)
  expect(wrong, `${sim.log.join('\n')}\n`).toEqual([])
}

describe('random steps end in the provider’s state, and nothing is paid twice [F-01] [F-06] [T-62]', () => {
  it.each(regressions)('$showed', { timeout: timeoutMs }, ({ steps }) => simulate(steps))
  it.each(seeds)('seed %i', { timeout: timeoutMs }, seed =>
    fc.assert(fc.asyncProperty(randomSteps, simulate), {
      seed,
      numRuns: 1,
      endOnFailure: !shrink,
      interruptAfterTimeLimit: timeoutMs - 10_000,
    }),
  )
})
