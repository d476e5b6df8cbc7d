import { describe, expect, it } from 'vitest'
import { begin, type Life } from '../../../../test/lives/life.ts'
import { play } from '../../../../test/lives/play.ts'
import { scenarios } from '../../../../test/lives/scenarios.ts'
import type { Mishap, Step } from '../../../../test/lives/steps.ts'
import { makeTown } from '../../../../test/lives/town.ts'
import { chargesOf, settle, truths } from '../../../../test/lives/truths.ts'
import type { Fault } from '../../../../test/payments.ts'

const town = await makeTown()

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
const struck = (act: Called, mishap: Mishap): Step => ({ ...act, mishap })

/** `POST /v1/invoices/in_123/pay?x` is `POST /v1/invoices/{any}/pay`, as a fault is aimed. */
const aimed = (method: string, path: string) =>
  `${method} ${path.split('?')[0]?.replaceAll(/\/[a-z]+(_[a-z]+)*_\w{10,}(?=\/|$)/g, '/*')}$`

async function logged(): Promise<{ id: string; method: string; path: string }[]> {
  return (await town.sandbox.api('GET', '/sandbox/log')).data as unknown as {
    id: string
    method: string
    path: string
  }[] // as: the sandbox's log
}

async function upTo(before: readonly Step[]): Promise<Life> {
  const life = await begin(town)
  for (const step of before) await play(life, step)
  return life
}

/** The calls of the provider that an act makes, found by doing it; and what it charges, done twice. */
async function rehearse({ before, act }: { before: Step[]; act: Called }) {
  const life = await upTo(before)
  const last = (await logged()).at(-1)?.id
  await play(life, act)
  const log = await logged()
  const made = log.slice(log.findIndex(entry => entry.id === last) + 1)
  const seen = new Map<string, number>()
  const calls = made
    .map(({ method, path }) => aimed(method, path))
    // What the browser sends itself: a card's number never passes through us.
    .filter(match => match !== 'POST /v1/payment_methods$')
    .map((match): Call => {
      const after = seen.get(match) ?? 0
      seen.set(match, after + 1)
      return { match, after }
    })
  await play(life, act)
  await settle(life)
  return { calls, charges: await chargesOf(life), wrong: await truths(life), diary: life.diary }
}

const rehearsed = new Map<string, { before: Step[]; act: Called } & Awaited<ReturnType<typeof rehearse>>>()
for (const [name, scenario] of Object.entries(scenarios))
  rehearsed.set(name, { ...scenario, ...(await rehearse(scenario)) })

type Pair = { name: string; call: Call; fault: Fault }
const calls = [...rehearsed].flatMap(([name, { calls }]) => calls.map(call => ({ name, call })))
const whole = calls.flatMap(one => faults.map((fault): Pair => ({ ...one, fault })))
const each = calls.filter(({ call }, at) => at === calls.findIndex(one => one.call.match === call.match))
/** Each call with one fault, what writes also with the reply lost; `npm run lives` has them all, in every scenario. */
const some = [
  ...each.map((one, at): Pair => ({ ...one, fault: faults[at % faults.length] ?? '500' })),
  ...each
    .filter(
      (one, at) => !one.call.match.startsWith('GET') && faults[at % faults.length] !== 'drop_after_commit',
    )
    .map((one): Pair => ({ ...one, fault: 'drop_after_commit' })),
]
const pairs = (process.env.WHOLE_FAULT_MATRIX === '1' ? whole : some).map(
  pair => [`${pair.name}: ${pair.fault} at ${pair.call.match} (${pair.call.after + 1})`, pair] as const,
)

describe('without a fault', () => {
  it.each([...rehearsed])('%s', (_name, { calls, wrong, diary }) => {
    expect(wrong, diary.join('\n')).toEqual([])
    expect(calls.length).toBeGreaterThan(0)
  })
})

describe('every call of the provider fails in every way: a clear answer, one charge at most, all is repaired [F-05] [T-62]', () => {
  it.each(pairs)('%s', { timeout: 60_000 }, async (_title, { name, call, fault }) => {
    const found = rehearsed.get(name)
    if (!found) throw new Error(`No scenario ${name}`)
    const life = await upTo(found.before)
    // More often than anybody tries again.
    await play(life, struck(found.act, { kind: 'fault', ...call, fault, times: 6 }))
    await play(life, found.act)
    await settle(life)
    expect(await truths(life), life.diary.join('\n')).toEqual([])
    expect(await chargesOf(life), life.diary.join('\n')).toBeLessThanOrEqual(found.charges)
  })
})
