import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDb } from '../../src/db/pool.ts'
import { openQueue } from '../../src/jobs/queue.ts'
import { makeLog } from '../../src/log.ts'
import { startSandbox } from './sandbox-process.ts'

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
  project.provide('sandbox', { port: sandbox.port, smtpPort: sandbox.smtpPort })
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
    sandbox.child.kill('SIGTERM')
    if (sandbox.child.exitCode === null) await once(sandbox.child, 'exit')
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
