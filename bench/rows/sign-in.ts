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

/** How long one visitor waits for `who am I` while four others do nothing but sign in. */
export async function others(stage: Stage): Promise<Figure[]> {
  const [ours, floor] = [await stage.ours(), await stage.floor()]
  const sample = (server: Server) => async () => {
    const { seconds } = stage
    const busy = load(server.port, signIns(4), { connections: 4, seconds: seconds + 0.2 })
    const calls: Call[] = [{ method: 'GET', path: '/api/auth', token: tokenOf(9) }]
    const [slice, loops] = await Promise.all([load(server.port, calls, { connections: 1, seconds }), busy])
    return { ...slice, signIns: loops.rate }
  }
  const rounds = await inTurns(stage.rounds, sample(ours), sample(floor))
  return [
    judge({
      row: 'others',
      what: 'GET /api/auth while 4 loops sign in: p50 against the floor',
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
    }),
  ]
}
