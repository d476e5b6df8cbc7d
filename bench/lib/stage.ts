import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from '../../scripts/lib/ports.ts'
import { sharedEnvironment } from '../../scripts/lib/product.ts'
import { buildWeb, webBuildIsCurrent } from '../../scripts/lib/web-build.ts'
import { fillFloor, fillOurs } from './data.ts'
import { callOnce } from './load.ts'
import { openCluster } from './postgres.ts'
import { type Program, start } from './process.ts'

export const root = join(import.meta.dirname, '../..')
const main = join(root, 'apps/server/src/main.ts')
export type Server = Program & { port: number; databaseUrl: string }
export type Stage = ReturnType<typeof makeStage>

/** What the rows run on. Everything is started when first asked for, kept, and stopped together. */
export function makeStage(options: { accounts: number; seconds: number; rounds: number; quick: boolean }) {
  const opened: (() => Promise<void>)[] = []
  const folder = mkdtempSync(join(tmpdir(), 'plinth-bench-'))
  const keep = <T extends { stop(): Promise<void> }>(it: T): T => {
    opened.push(() => it.stop())
    return it
  }

  const cluster = onceOnly(async () => keep(await openCluster()))
  const floor = onceOnly(async (): Promise<Server> => {
    const databaseUrl = await (await cluster()).database('bench_floor')
    await fillFloor(databaseUrl)
    return keep(
      await startServer(join(import.meta.dirname, '../floor/server.ts'), databaseUrl, { ready: '/api/auth' }),
    )
  })
  const oursWith = (name: string, more: number) =>
    onceOnly(async (): Promise<Server> => {
      const databaseUrl = await (await cluster()).database(name)
      const server = keep(await startServer(main, databaseUrl, { env: ourEnv(folder) }))
      await fillOurs(databaseUrl, more)
      return server
    })

  const ours = oursWith('bench_ours', 0)

  return {
    ...options,
    folder,
    cluster,
    floor,
    /** Ours with one account of 50 members. */
    ours,
    /** Ours with the same account among 100,000. */
    many: oursWith('bench_many', options.accounts - 1),
    /** Ours started after the pages were built, for it knows the files that were there at its start. */
    pages: onceOnly(async (): Promise<Server> => {
      const { databaseUrl } = await ours()
      if (!webBuildIsCurrent(root)) await buildWeb(root)
      return keep(await startServer(main, databaseUrl, { env: ourEnv(folder) }))
    }),
    async close() {
      for (const stop of opened.toReversed()) await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Ours as `npm start` has it from the second time on, but without the sandbox and demo data, as in production, and with
 * limits that load can't reach. Nothing is sent to the addresses named here.
 */
export function ourEnv(folder: string): Record<string, string> {
  return {
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: sharedEnvironment(root, process.env).NODE_COMPILE_CACHE,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    // The largest budget times this still is an integer of the database.
    RATE_LIMIT_FACTOR: '100000',
    ROLE: 'all',
    SANDBOX: '0',
    SEED_DEMO: '0',
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  }
}

export async function startServer(
  program: string,
  databaseUrl: string,
  options: { env?: Record<string, string>; ready?: string; node?: string[] } = {},
): Promise<Server> {
  const port = await freePorts(3)
  const args = ['--disable-warning=ExperimentalWarning', ...(options.node ?? []), program]
  const started = start(process.execPath, args, {
    ...options.env,
    PORT: String(port),
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  })
  await untilAnswers(port, options.ready ?? '/ready', started)
  return { ...started, port, databaseUrl }
}

/** Asks again and again until a call is answered as wished; gives the milliseconds it took. */
export async function untilAnswers(
  port: number,
  path: string,
  program: Program,
  fits: (answer: { status: number; body: string }) => boolean = ({ status }) => status < 500,
  call: { token?: string; method?: 'GET' | 'POST'; body?: object } = {},
): Promise<number> {
  const from = performance.now()
  while (performance.now() - from < 60_000) {
    if (program.child.exitCode !== null) throw new Error('The server ended before it answered')
    const answer = await callOnce(port, { method: 'GET', path, ...call }).catch(() => null)
    if (answer && fits(answer)) return performance.now() - from
    await pause(5)
  }
  throw new Error(`No answer to ${path} within a minute`)
}

export const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

function onceOnly<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
