import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { openDb } from '../src/db/open.ts'
import { openQueue } from '../src/jobs/queue.ts'
import { makeLog } from '../src/log.ts'
import { compileCache } from './compile-cache.ts'

declare module 'vitest' {
  interface ProvidedContext {
    sandbox: { port: number; smtpPort: number }
    /** A migrated embedded database as a tar file, or null when the suite runs on a PostgreSQL server. */
    template: string | null
    /** The same as a data folder, in each suite. */
    templateFolder: string
    databaseUrl: string | null
    /** Null when the suite counts in the database. */
    redisUrl: string | null
  }
}

/**
 * Once for the whole suite: the sandbox as its own process, and a migrated database from which those of the
 * test files are made.
 */
export async function setup(project: TestProject) {
  const sandbox = await startSandbox()
  project.provide('sandbox', sandbox.ports)
  const databaseUrl =
    process.env.PLINTH_TEST_DB === 'postgres' ? (process.env.TEST_DATABASE_URL ?? null) : null
  project.provide('databaseUrl', databaseUrl)
  project.provide(
    'redisUrl',
    process.env.PLINTH_TEST_LIMITS === 'redis' ? (process.env.TEST_REDIS_URL ?? null) : null,
  )
  const template = await migratedTemplate()
  project.provide('template', databaseUrl ? null : template.file)
  project.provide('templateFolder', template.folder)
  return async () => {
    await sandbox.stop()
    await rm(dirname(template.file), { recursive: true, force: true })
  }
}

async function migratedTemplate(): Promise<{ file: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-template-'))
  const db = await openDb({ databaseUrl: null, dataDir: folder, poolSize: 1 })
  const queue = openQueue(db, makeLog('silent'), { workers: false })
  await queue.start()
  await queue.stop()
  if (!db.embedded) throw new Error('The template is made from the embedded database')
  const file = join(folder, 'template.tar')
  await writeFile(file, await db.embedded.dump())
  await db.close()
  return { file, folder: join(folder, 'postgres') }
}

async function startSandbox() {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('../../sandbox/src/main.ts', import.meta.url)),
    ],
    {
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compileCache,
        SANDBOX_PORT: '0',
        SANDBOX_SMTP_PORT: '0',
        SANDBOX_MEMORY: '1',
        SANDBOX_CHECK: '1',
        APP_URL: 'http://localhost:5000',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const lines = createInterface({ input: child.stdout })
  const ready = await Promise.race([
    (async () => {
      for await (const line of lines)
        if (line.startsWith('{')) return JSON.parse(line) as { port: number; smtpPort: number } // as: the sandbox's ready line
      throw new Error('The sandbox ended before it was ready')
    })(),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The sandbox ended with ${code}`)
    }),
  ])
  return {
    ports: { port: ready.port, smtpPort: ready.smtpPort },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
