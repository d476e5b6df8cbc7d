import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Embedded } from '../src/db/embedded.ts'

let engine: Worker | undefined
let isLent = false

function start(template: Uint8Array): Worker {
  const worker = new Worker(new URL('./kept-worker.ts', import.meta.url), { workerData: { template } })
  // A file that is over must not keep the process.
  worker.unref()
  return worker
}

async function ask(worker: Worker, message: unknown): Promise<unknown> {
  worker.ref()
  const answered = once(worker, 'message')
  worker.postMessage(message)
  const [answer] = await answered
  worker.unref()
  return answer
}

/**
 * The embedded database that this process keeps for one test file after the other, empty: to start one takes longer
 * than most files do.
 * @returns null while it is lent, and where it can't be
 */
export async function lendDatabase(template: Uint8Array): Promise<Embedded | null> {
  // It is reached by a unix socket.
  if (isLent || process.platform === 'win32') return null
  isLent = true
  const folder = mkdtempSync(join(tmpdir(), 'plinth-kept-'))
  const lend = { lend: join(folder, '.s.PGSQL.5432') }
  engine ??= start(template)
  let worker = engine
  if ((await ask(worker, lend)) !== 'lent') {
    await worker.terminate()
    worker = engine = start(template)
    await ask(worker, lend)
  }
  return {
    connection: { user: 'postgres', database: 'postgres', password: 'postgres', host: folder, port: 5432 },
    dump: () => Promise.reject(new Error('A database that is lent is not copied')),
    async close() {
      await ask(worker, 'back')
      rmSync(folder, { recursive: true, force: true })
      isLent = false
    },
  }
}
