import { addressOf, password, tokenOf } from '../lib/data.ts'
import { type Call, load } from '../lib/load.ts'
import { inTurns, middleOf, ratio } from '../lib/measure.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Server, Stage } from '../lib/stage.ts'

const signIns = (count: number) =>
  Array.from({ length: count }, (_, n): Call => {
    return { method: 'POST', path: '/api/auth', body: { email: addressOf(n + 1), password } }
  })

export async function signIn(stage: Stage): Promise<Figure[]> {
  const [ours, floor] = [await stage.ours(), await stage.floor()]
  const sample = (server: Server, seconds: number) => () =>
    load(server.port, signIns(8), { connections: 8, seconds })
  await inTurns(1, sample(ours, 1.5), sample(floor, 1.5))
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

/**
 * How long others wait for `who am I` while four do nothing but sign in. One other at a time measures what a call costs;
 * four and eight, where the floor answers in the 0.3 to 1.3 ms that performance.md names, measure what is left of the
 * machine for them.
 */
export async function others(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const visitors of [1, 4, 8]) figures.push(await othersOf(stage, visitors))
  return figures
}

async function othersOf(stage: Stage, visitors: number): Promise<Figure> {
  const [ours, floor] = [await stage.ours(), await stage.floor()]
  const calls = Array.from({ length: visitors }, (_, n): Call => {
    return { method: 'GET', path: '/api/auth', token: tokenOf(9 + n) }
  })
  const sample = (server: Server) => async () => {
    const { seconds } = stage
    const busy = load(server.port, signIns(4), { connections: 4, seconds: seconds + 0.2 })
    const [slice, loops] = await Promise.all([
      load(server.port, calls, { connections: visitors, seconds }),
      busy,
    ])
    return { ...slice, signIns: loops.rate }
  }
  const rounds = await inTurns(stage.rounds, sample(ours), sample(floor))
  return judge({
    row: 'others',
    what: `GET /api/auth, c=${visitors}, while 4 loops sign in: p50 against the floor`,
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
