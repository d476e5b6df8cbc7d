import { describe, expect, it } from 'vitest'
import type { Fault } from '../../../../test/payments.ts'
import { makeEnv } from '../../../../test/simulation/env.ts'
import { chargesOf, findViolations, settleAll } from '../../../../test/simulation/invariants.ts'
import { runStep } from '../../../../test/simulation/run-step.ts'
import { scenarios } from '../../../../test/simulation/scenarios.ts'
import { type Simulation, startSimulation } from '../../../../test/simulation/simulation.ts'
import type { Mishap, Step } from '../../../../test/simulation/steps.ts'
import { invariant } from '../../../lib/invariant.ts'

const env = await makeEnv()

const faults = [
  '500',
  '429',
  '409',
  'timeout',
  'reset',
  'drop_after_commit',
  'garbage',
] as const satisfies Fault[]

type Called = Extract<Step, { process: 0 | 1 }>
type Call = { match: string; after: number }
const withMishap = (act: Called, mishap: Mishap): Step => ({ ...act, mishap })

/** `POST /v1/invoices/in_123/pay?x` is `POST /v1/invoices/{any}/pay`, as a fault is aimed. */
const faultPattern = (method: string, path: string) =>
  `${method} ${path.split('?')[0]?.replaceAll(/\/[a-z]+(_[a-z]+)*_\w{10,}(?=\/|$)/g, '/*')}$`

async function logged(): Promise<{ id: string; method: string; path: string }[]> {
  return (await env.sandbox.api('GET', '/sandbox/log')).data as unknown as {
    id: string
    method: string
    path: string
  }[] // as: the sandbox's log
}

async function runSteps(before: readonly Step[]): Promise<Simulation> {
  const sim = await startSimulation(env)
  for (const step of before) await runStep(sim, step)
  return sim
}

/** Finds the calls of an act by running it, and its charges when it runs twice. */
async function rehearse({ before, act }: { before: Step[]; act: Called }) {
  const sim = await runSteps(before)
  const last = (await logged()).at(-1)?.id
  await runStep(sim, act)
  const log = await logged()
  const made = log.slice(log.findIndex(entry => entry.id === last) + 1)
  const seen = new Map<string, number>()
  const calls = made
    .map(({ method, path }) => faultPattern(method, path))
    // Excludes the call of the browser: card numbers never pass through the server.
    .filter(match => match !== 'POST /v1/payment_methods$')
    .map((match): Call => {
      const after = seen.get(match) ?? 0
      seen.set(match, after + 1)
      return { match, after }
    })
  await runStep(sim, act)
  await settleAll(sim)
  return { calls, charges: await chargesOf(sim), wrong: await findViolations(sim), log: sim.log }
}

const rehearsed = new Map<string, { before: Step[]; act: Called } & Awaited<ReturnType<typeof rehearse>>>()
for (const [name, scenario] of Object.entries(scenarios))
  rehearsed.set(name, { ...scenario, ...(await rehearse(scenario)) })

type Pair = { name: string; call: Call; fault: Fault }
const calls = [...rehearsed].flatMap(([name, { calls }]) => calls.map(call => ({ name, call })))
const whole = calls.flatMap(one => faults.map((fault): Pair => ({ ...one, fault })))
const each = calls.filter(({ call }, at) => at === calls.findIndex(one => one.call.match === call.match))
/**
 * Each call with one fault, and each write with a lost reply; `npm run simulate` runs all faults in all
 * scenarios.
 */
const some = [
  ...each.map((one, at): Pair => ({ ...one, fault: faults[at % faults.length] ?? '500' })),
  ...each
    .filter(
      (one, at) => !one.call.match.startsWith('GET') && faults[at % faults.length] !== 'drop_after_commit',
    )
    .map((one): Pair => ({ ...one, fault: 'drop_after_commit' })),
]
const isWhole = process.env.WHOLE_FAULT_MATRIX === '1'
const pairs = (isWhole ? whole : some).map(
  pair => [`${pair.name}: ${pair.fault} at ${pair.call.match} (${pair.call.after + 1})`, pair] as const,
)

describe('without a fault', () => {
  it.each([...rehearsed])('%s', (_name, { calls, wrong, log }) => {
    expect(wrong, log.join('\n')).toEqual([])
    expect(calls.length).toBeGreaterThan(0)
  })
})

describe('each call of the provider fails in each way: clear reply, one charge at most, repaired [F-05] [T-62]', () => {
  it.each(pairs)('%s', { timeout: 60_000 }, async (_title, { name, call, fault }) => {
    const found = invariant(rehearsed.get(name), name)
    const sim = await runSteps(found.before)
    // More often than the client retries.
    await runStep(sim, withMishap(found.act, { kind: 'fault', ...call, fault, times: 6 }))
    await runStep(sim, found.act)
    await settleAll(sim)
    expect(await findViolations(sim), sim.log.join('\n')).toEqual([])
    expect(await chargesOf(sim), sim.log.join('\n')).toBeLessThanOrEqual(found.charges)
  })
})

/** More than any scenario makes of the database and the provider together. */
const maxCalls = 40
/** One position for each scenario; `npm run simulate` has them all. */
const kills = [...rehearsed.keys()].flatMap((name, nth) =>
  Array.from({ length: maxCalls }, (_, at) => ({ name, at })).filter(
    ({ at }) => isWhole || at === (nth * 5) % 24,
  ),
)

describe('the process is killed at a call: one charge at most, and a retry repairs it [F-01] [T-62]', () => {
  it.each(kills)('$name: killed at call $at', { timeout: 60_000 }, async ({ name, at }) => {
    const found = invariant(rehearsed.get(name), name)
    const sim = await runSteps(found.before)
    await runStep(sim, withMishap(found.act, { kind: 'killed', at }))
    await runStep(sim, found.act)
    await settleAll(sim)
    expect(await findViolations(sim), sim.log.join('\n')).toEqual([])
    expect(await chargesOf(sim), sim.log.join('\n')).toBeLessThanOrEqual(found.charges)
  })
})
