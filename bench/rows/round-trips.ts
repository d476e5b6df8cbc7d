import { createServer, connect as dial } from 'node:net'
import { members, tokenOf } from '../lib/data.ts'
import { callOnce } from '../lib/load.ts'
import { median } from '../lib/measure.ts'
import { type Figure, judge } from '../lib/report.ts'
import { ourEnv, root, type Stage, startServer } from '../lib/stage.ts'
import { hasList } from './calls.ts'

const calls = 40

/**
 * How often a call waits for the database. A relay between the server and PostgreSQL counts the changes of direction
 * towards the database. The process has no workers, which poll for jobs at any time.
 */
export async function roundTrips(stage: Stage): Promise<Figure[]> {
  const { databaseUrl } = await stage.ours()
  const relay = await openRelay(databaseUrl)
  const server = await startServer(`${root}/apps/server/src/main.ts`, relay.url, {
    env: { ...ourEnv(stage.folder), ROLE: 'web', DATABASE_POOL: '2' },
  })
  const count = async (path: string) => {
    const ask = () => callOnce(server.port, { method: 'GET', path, token: tokenOf(members) })
    for (let n = 0; n < 5; n++) await ask()
    const counts: number[] = []
    for (let n = 0; n < calls; n++) {
      const before = relay.turns()
      await ask()
      counts.push(relay.turns() - before)
    }
    // The middle one: now and then the server asks something of its own accord.
    return median(counts)
  }
  try {
    const common = { row: 'round-trips', unit: '', better: 'less' as const, details: {} }
    const list = (await hasList(server)) ? await count('/api/account/users') : null
    return [
      judge({
        ...common,
        what: 'round trips to the database: GET /api/auth',
        value: await count('/api/auth'),
        budget: 1,
        aim: 1,
      }),
      judge({ ...common, what: 'round trips: GET /api/account/users', value: list, budget: 2, aim: 2 }),
    ]
  } finally {
    await server.stop()
    relay.close()
  }
}

async function openRelay(databaseUrl: string) {
  const target = new URL(databaseUrl)
  let turns = 0
  const server = createServer(client => {
    const database = dial(Number(target.port || 5432), target.hostname)
    let asking = false
    client.on('data', chunk => {
      if (!asking) turns++
      asking = true
      database.write(chunk)
    })
    database.on('data', chunk => {
      asking = false
      client.write(chunk)
    })
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) socket.on('close', end).on('error', end)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return { url: url.href, turns: () => turns, close: () => server.close() }
}
