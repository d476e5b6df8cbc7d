import { members, tokenOf } from '../lib/data.ts'
import { type Call, load } from '../lib/load.ts'
import { inTurns, median, middleOf, ratio } from '../lib/measure.ts'
import { cpuSecondsOfFamily } from '../lib/process.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Server, Stage } from '../lib/stage.ts'
import { hasList, list, whoAmI } from './calls.ts'

const connections = 4

/** The same calls with 100,000 accounts against one: what grows with the tables shows here. */
export async function scale(stage: Stage): Promise<Figure[]> {
  const one = await stage.ours()
  // Many different people, or the same few rows would lie in the cache.
  const spread = Array.from({ length: 2000 }, (_, n) =>
    tokenOf(members + 1 + Math.floor((n * 2 * (stage.accounts - 2)) / 2000)),
  )
  const calls = spread.map((token): Call => ({ method: 'GET', path: '/api/auth', token }))
  const figures = await compare(stage, 'GET /api/auth', { one: whoAmI, many: calls })
  if (await hasList(one))
    figures.push(...(await compare(stage, 'GET /api/account/users', { one: list, many: list })))
  return figures
}

async function compare(stage: Stage, name: string, calls: { one: Call[]; many: Call[] }): Promise<Figure[]> {
  const [one, many, cluster] = [await stage.ours(), await stage.many(), await stage.cluster()]
  const sample = (server: Server, asked: Call[], seconds: number) => async () => {
    const before = cluster.pid ? cpuSecondsOfFamily(cluster.pid) : Number.NaN
    const slice = await load(server.port, asked, { connections, seconds })
    const after = cluster.pid ? cpuSecondsOfFamily(cluster.pid) : Number.NaN
    return { ...slice, cpu: ((after - before) / slice.answers) * 1e6 }
  }
  await inTurns(2, sample(many, calls.many, 1.5), sample(one, calls.one, 1.5))
  const rounds = await inTurns(
    stage.rounds,
    sample(many, calls.many, stage.seconds),
    sample(one, calls.one, stage.seconds),
  )
  const common = { row: 'scale', unit: 'x', better: 'less' as const, budget: 1.2, aim: 1.05 }
  const accounts = stage.accounts.toLocaleString('en')
  return [
    judge({
      ...common,
      what: `${name}, ${accounts} accounts against 1: p50`,
      value: ratio(rounds, slice => slice.p50),
      details: {
        'many ms': middleOf(rounds, round => round.ours.p50),
        'one ms': middleOf(rounds, round => round.floor.p50),
      },
    }),
    judge({
      ...common,
      what: `${name}, ${accounts} accounts against 1: PostgreSQL CPU`,
      value: cluster.pid ? median(rounds.map(round => round.ours.cpu / round.floor.cpu)) : null,
      details: {
        'many µs': middleOf(rounds, round => round.ours.cpu),
        'one µs': middleOf(rounds, round => round.floor.cpu),
      },
    }),
  ]
}
