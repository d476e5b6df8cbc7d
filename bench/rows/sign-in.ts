import { addressOf, password, tokenOf } from '../lib/data.ts'
import { type Call, load } from '../lib/load.ts'
import { inTurns, middleOf, ratio } from '../lib/measure.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Server, Stage } from '../lib/stage.ts'

const signIns = (count: number) =>
  Array.from({ length: count }, (_, n): Call => {
    return { method: 'POST', path: '/api/auth', body: { email: addressOf(n + 1), password } }
  })

/**
 * Warm-up runs. The engine optimises a function after a number of calls. Other rows reach it in a second, sign-ins only
 * after a quarter of a minute.
 */
const compiledAfter = 3000
const warmed = new WeakSet<Stage>()

async function warm(stage: Stage) {
  if (warmed.has(stage)) return
  warmed.add(stage)
  for (const { port } of [await stage.ours(), await stage.floor()])
    for (let answers = 0; answers < compiledAfter; )
      answers += (await load(port, signIns(8), { connections: 8, seconds: 1 })).answers
}

export async function signIn(stage: Stage): Promise<Figure[]> {
  const [ours, floor] = [await stage.ours(), await stage.floor()]
  const sample = (server: Server, seconds: number) => () =>
    load(server.port, signIns(8), { connections: 8, seconds })
  await warm(stage)
  const rounds = await inTurns(stage.rounds, sample(ours, stage.seconds), sample(floor, stage.seconds))
  return [
    judge({
      row: 'sign-in',
      what: 'POST /api/auth, c=8: sign-ins against the floor',
      value: ratio(rounds, slice => slice.rate),
      unit: 'x',
      better: 'more',
      budget: 0.8,
      aim: 0.95,
      details: {
        'ours/s': middleOf(rounds, round => round.ours.rate),
        'floor/s': middleOf(rounds, round => round.floor.rate),
      },
    }),
  ]
}

/** One who looks at an answer before asking again, and some who never do. */
const visitors = [
  { count: 1, pauseMs: 10 },
  { count: 1, pauseMs: 0 },
  { count: 4, pauseMs: 0 },
  { count: 8, pauseMs: 0 },
]

/**
 * Delay of `GET /api/auth` while four clients sign in continuously. The baseline takes 0.3 to 1.3 ms for clients that
 * pause, and for four or eight that do not; for one that does not it takes 0.07 ms, so the second row measures the cost
 * of the call, not the waiting time (decision 31).
 */
export async function others(stage: Stage): Promise<Figure[]> {
  await warm(stage)
  const figures: Figure[] = []
  for (const { count, pauseMs } of visitors) figures.push(await othersOf(stage, count, pauseMs))
  return figures
}

async function othersOf(stage: Stage, count: number, pauseMs: number): Promise<Figure> {
  const [ours, floor] = [await stage.ours(), await stage.floor()]
  const calls = Array.from({ length: count }, (_, n): Call => {
    return { method: 'GET', path: '/api/auth', token: tokenOf(9 + n) }
  })
  const sample = (server: Server) => async () => {
    const { seconds } = stage
    const busy = load(server.port, signIns(4), { connections: 4, seconds: seconds + 0.2 })
    const [slice, loops] = await Promise.all([
      load(server.port, calls, { connections: count, seconds, pauseMs }),
      busy,
    ])
    return { ...slice, signIns: loops.rate }
  }
  const rounds = await inTurns(stage.rounds, sample(ours), sample(floor))
  const who = `c=${count}${pauseMs ? ` with pauses of ${pauseMs} ms` : ''}`
  return judge({
    row: 'others',
    what: `GET /api/auth, ${who}, while 4 loops sign in: p50 against the floor`,
    value: ratio(rounds, slice => slice.p50),
    unit: 'x',
    better: 'less',
    budget: 2,
    aim: 1.3,
    details: {
      'ours ms': middleOf(rounds, round => round.ours.p50),
      'floor ms': middleOf(rounds, round => round.floor.p50),
      'ours p99 ms': middleOf(rounds, round => round.ours.p99),
      'floor p99 ms': middleOf(rounds, round => round.floor.p99),
      'ours sign-ins/s': middleOf(rounds, round => round.ours.signIns),
      'floor sign-ins/s': middleOf(rounds, round => round.floor.signIns),
    },
  })
}
