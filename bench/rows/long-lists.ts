import { fillLong, ownerOfLong, tokenOf } from '../lib/data.ts'
import { type Call, callOnce, load } from '../lib/load.ts'
import { inTurns, middleOf, ratio } from '../lib/measure.ts'
import { type Figure, judge } from '../lib/report.ts'
import type { Stage } from '../lib/stage.ts'

const long = 10_000
const lists = {
  'GET /api/account/users?limit=50': '/api/account/users?limit=50',
  'GET /api/account/users?limit=50&sort=-last_login': '/api/account/users?limit=50&sort=-last_login',
  'GET /api/key?limit=50': '/api/key?limit=50',
  'GET /api/key?limit=50&sort=name': '/api/key?limit=50&sort=name',
}

/** A page of 50 out of 10,000 against a page of all 50: who has many waits no longer. */
export async function longLists(stage: Stage): Promise<Figure[]> {
  const server = await stage.ours()
  await fillLong(server.databaseUrl, long)
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(lists)) {
    const ask = (user: number): Call[] => [{ method: 'GET', path, token: tokenOf(user) }]
    const [many, few] = [ask(ownerOfLong), ask(1)]
    for (const [call] of [many, few]) {
      const { status, body } = await callOnce(server.port, call as Call)
      const rows = status === 200 ? body.split('"date_created":').length - 1 : 0
      if (rows !== 50) throw new Error(`${path} answered ${status} with ${rows} rows: ${body.slice(0, 300)}`)
    }
    const sample = (calls: Call[]) => () =>
      load(server.port, calls, { connections: 4, seconds: stage.seconds })
    await inTurns(1, sample(many), sample(few))
    const rounds = await inTurns(stage.rounds, sample(many), sample(few))
    figures.push(
      judge({
        row: 'long-lists',
        what: `${name}, ${long.toLocaleString('en')} rows against 50: p50`,
        value: ratio(rounds, slice => slice.p50),
        unit: 'x',
        better: 'less',
        budget: 1.5,
        aim: 1.1,
        details: {
          'many ms': middleOf(rounds, round => round.ours.p50),
          'few ms': middleOf(rounds, round => round.floor.p50),
        },
      }),
    )
  }
  return figures
}
