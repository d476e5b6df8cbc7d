import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../../scripts/lib/ports.ts'
import { members, tokenOf } from '../lib/data.ts'
import { callOnce } from '../lib/load.ts'
import { median } from '../lib/measure.ts'
import { type Program, start } from '../lib/process.ts'
import { type Figure, judge } from '../lib/report.ts'
import { ourEnv, root, type Stage, untilAnswers } from '../lib/stage.ts'

const main = join(root, 'apps/server/src/main.ts')
const demo = { email: 'owner@demo.plinth.example', password: 'plinth-demo-1' }
type Begun = { program: Program; port: number }

/** Time from the start of the process to its first reply to a signed-in user. */
export async function coldStart(stage: Stage): Promise<Figure[]> {
  const { databaseUrl } = await stage.ours()
  const floor = await stage.floor()
  const times = stage.quick ? 3 : 7
  const knows = ({ body }: { body: string }) => body.includes('"authenticated":true')

  const begin = async (program: string, env: Record<string, string>): Promise<Begun> => {
    const port = await freePorts(3)
    const args = ['--disable-warning=ExperimentalWarning', program]
    return {
      port,
      program: start(process.execPath, args, { ...ourEnv(stage.folder), ...env, PORT: `${port}` }),
    }
  }
  const timed = async (begun: Promise<Begun>, answered: (begun: Begun) => Promise<unknown>) => {
    const from = performance.now()
    const it = await begun
    await answered(it)
    const seconds = (performance.now() - from) / 1000
    await it.program.stop()
    return seconds
  }
  const session = (token: string) => (it: Begun) =>
    untilAnswers(it.port, '/api/auth', it.program, knows, { token })
  const demoSignIn = (it: Begun) =>
    untilAnswers(it.port, '/api/auth', it.program, ({ status }) => status === 200, {
      method: 'POST',
      body: demo,
    })

  const onPostgres: number[] = []
  const onFloor: number[] = []
  const fresh: number[] = []
  const existing: number[] = []
  const floorProgram = join(root, 'bench/floor/server.ts')
  for (let n = 0; n < times; n++) {
    onPostgres.push(await timed(begin(main, { DATABASE_URL: databaseUrl }), session(tokenOf(members))))
    onFloor.push(
      await timed(begin(floorProgram, { DATABASE_URL: floor.databaseUrl }), it =>
        untilAnswers(it.port, '/api/auth', it.program, ({ status }) => status === 200, {
          token: tokenOf(members),
        }),
      ),
    )
  }
  for (let n = 0; n < Math.ceil(times / 2); n++) {
    const env = { DATA_DIR: join(stage.folder, `embedded-${n}`), SEED_DEMO: '1' }
    mkdirSync(env.DATA_DIR, { recursive: true })
    fresh.push(await timed(begin(main, env), demoSignIn))
    const token = await signedIn(begin(main, env), demoSignIn)
    existing.push(await timed(begin(main, env), session(token)))
  }

  const common = { row: 'start', unit: ' s', better: 'less' as const }
  return [
    judge({
      ...common,
      what: 'cold start to the first authenticated answer: PostgreSQL',
      value: median(onPostgres),
      budget: 0.8,
      aim: 0.5,
      details: { 'floor s': median(onFloor) },
    }),
    judge({
      ...common,
      what: 'cold start: embedded, existing folder',
      value: median(existing),
      budget: 1.5,
      aim: 1,
      details: {},
    }),
    judge({
      ...common,
      what: 'cold start: embedded, first ever, to the first sign-in',
      value: median(fresh),
      budget: 5,
      aim: 3,
      details: {},
    }),
  ]
}

/** A session of the demo owner in the folder of a server that is started and stopped for it. */
async function signedIn(begun: Promise<Begun>, ready: (it: Begun) => Promise<unknown>): Promise<string> {
  const it = await begun
  await ready(it)
  const { body } = await callOnce(it.port, { method: 'POST', path: '/api/auth', body: demo })
  await it.program.stop()
  const { data }: { data: { token: string } } = JSON.parse(body)
  return data.token
}
