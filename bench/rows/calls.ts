import { members, tokenOf } from '../lib/data.ts'
import { type Call, callOnce, load, type Slice } from '../lib/load.ts'
import { inTurns, median, middleOf, ratio } from '../lib/measure.ts'
import { cpuSeconds } from '../lib/process.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Server, Stage } from '../lib/stage.ts'

const connections = 32
const tokens = Array.from({ length: members }, (_, n) => tokenOf(n + 1))
export const whoAmI: Call[] = tokens.map(token => ({ method: 'GET', path: '/api/auth', token }))
export const list: Call[] = tokens.map(token => ({ method: 'GET', path: '/api/account/users', token }))

type Sample = Slice & { cpu: number }

/** Throughput and processor time of a call against the same call of the floor. */
async function against(stage: Stage, calls: Call[]): Promise<{ value: number; details: Figure['details'] }> {
  const [ours, floor] = [await stage.ours(), await stage.floor()]
  const sample = (server: Server, seconds: number) => async (): Promise<Sample> => {
    const before = cpuSeconds(server.pid)
    const slice = await load(server.port, calls, { connections, seconds })
    return { ...slice, cpu: ((cpuSeconds(server.pid) - before) / slice.answers) * 1e6 }
  }
  // The first seconds of a process go to its compiler.
  await inTurns(2, sample(ours, 1.5), sample(floor, 1.5))
  const rounds = await inTurns(stage.rounds, sample(ours, stage.seconds), sample(floor, stage.seconds))
  return {
    value: ratio(rounds, slice => slice.rate),
    details: {
      'ours/s': middleOf(rounds, round => round.ours.rate),
      'floor/s': middleOf(rounds, round => round.floor.rate),
      'CPU ratio': median(rounds.map(round => round.ours.cpu / round.floor.cpu)),
      'ours µs': middleOf(rounds, round => round.ours.cpu),
      'floor µs': middleOf(rounds, round => round.floor.cpu),
    },
  }
}

export async function auth(stage: Stage): Promise<Figure[]> {
  const { port } = await stage.ours()
  const { body } = await callOnce(port, { method: 'GET', path: '/api/auth', token: tokenOf(members) })
  // Without a session the call also answers 200, and much faster.
  if (!body.includes('"authenticated":true')) throw new Error(`GET /api/auth has no session: ${body}`)
  const measured = await against(stage, whoAmI)
  const what = 'GET /api/auth, c=32: throughput against the floor'
  return [judge({ row: 'auth', what, ...measured, unit: 'x', better: 'more', budget: 0.6, aim: 0.8 })]
}

export async function members50(stage: Stage): Promise<Figure[]> {
  const there = await hasList(await stage.ours())
  const measured = there
    ? await against(stage, list)
    : { value: null, details: { note: 'the call is not there yet' } }
  const what = 'GET /api/account/users, 50 members, c=32: throughput'
  return [judge({ row: 'list', what, ...measured, unit: 'x', better: 'more', budget: 0.6, aim: 0.8 })]
}

/** Whether the list of members is served. */
export async function hasList({ port }: Server): Promise<boolean> {
  const { status } = await callOnce(port, {
    method: 'GET',
    path: '/api/account/users',
    token: tokenOf(members),
  })
  return status === 200
}
