import { members, tokenOf } from '../lib/data.ts'
import { callOnce } from '../lib/load.ts'
import { residentMegabytes } from '../lib/process.ts'
import { type Figure, judge } from '../lib/report.ts'
import { ourEnv, pause, root, type Stage, startServer } from '../lib/stage.ts'

/** Resident memory of a fresh server process that has answered a few calls and then had nothing to do. */
export async function memory(stage: Stage): Promise<Figure[]> {
  const [ours, floor] = [await stage.ours(), await stage.floor()]
  const idle = async (program: string, databaseUrl: string, ready?: string) => {
    const server = await startServer(program, databaseUrl, { env: ourEnv(stage.folder), ready })
    for (let n = 0; n < 20; n++) {
      const answer = await callOnce(server.port, {
        method: 'GET',
        path: '/api/auth',
        token: tokenOf(members),
      })
      if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${answer.body}`)
    }
    await pause(stage.quick ? 5000 : 20_000)
    const megabytes = residentMegabytes(server.pid)
    await server.stop()
    return megabytes
  }
  // The first start fills the compile cache when it ends; every later one is like the second.
  const program = `${root}/apps/server/src/main.ts`
  await (await startServer(program, ours.databaseUrl, { env: ourEnv(stage.folder) })).stop()
  const value = await idle(program, ours.databaseUrl)
  return [
    judge({
      row: 'memory',
      what: 'idle memory of the app process on PostgreSQL',
      value,
      unit: ' MB',
      better: 'less',
      budget: 120,
      aim: 95,
      details: { 'floor MB': await idle(`${root}/bench/floor/server.ts`, floor.databaseUrl, '/api/auth') },
    }),
  ]
}
