import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { ClientConfig } from 'pg'
import { lockFolder } from './folder-lock.ts'
import type { Address } from './socket-server.ts'

export type Embedded = {
  /** For `pg`. */
  connection: ClientConfig
  /** The whole database as a tar file, for tests that start from a migrated one. */
  dump(): Promise<Uint8Array>
  close(): Promise<void>
}

/** The bytes that a socket's path may have. */
const longestPath = 107

/**
 * Starts the embedded PostgreSQL on a folder, or in memory when there is none.
 * @param onExit called when the engine ends by itself; the process should end then
 */
export async function startEmbedded(options: {
  dataDir: string | null
  template?: Uint8Array
  onExit?: (error: Error) => void
}): Promise<Embedded> {
  const unlock = options.dataDir ? lockFolder(options.dataDir) : () => {}
  const socket = socketPath(options.dataDir)
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: {
      dataDir: options.dataDir ? join(options.dataDir, 'postgres') : null,
      path: socket?.path ?? null,
      template: options.template ?? null,
    },
  })
  let closing = false
  const answer = <T>(pick: (message: Record<string, unknown>) => T | undefined) =>
    new Promise<T>((resolve, reject) => {
      worker.on('message', message => {
        const picked = pick(message)
        if (picked !== undefined) resolve(picked)
      })
      worker.once('error', reject)
    })
  worker.on('error', error => {
    if (!closing) options.onExit?.(error instanceof Error ? error : new Error(String(error)))
  })
  try {
    const where = await answer(m => m.listening as Address | undefined) // as: sent by the worker
    const connection: ClientConfig = { user: 'postgres', database: 'postgres', password: 'postgres' }
    if ('path' in where) Object.assign(connection, { host: socket?.folder, port: 5432 })
    else Object.assign(connection, where)
    return {
      connection,
      async dump() {
        const dumped = answer(m => m.dump as Uint8Array | undefined) // as: sent by the worker
        worker.postMessage('dump')
        return dumped
      },
      async close() {
        closing = true
        const closed = answer(m => m.closed)
        worker.postMessage('close')
        await closed
        await worker.terminate()
        socket?.remove()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** `pg` expects a unix socket at <folder>/.s.PGSQL.<port>. On Windows PGlite can't use one: a loopback port instead. */
function socketPath(dataDir: string | null) {
  if (process.platform === 'win32') return null
  const name = '.s.PGSQL.5432'
  const wanted = dataDir ? join(dataDir, 'socket') : null
  const fits = wanted !== null && Buffer.byteLength(join(wanted, name)) <= longestPath
  const folder = fits ? wanted : mkdtempSync(join(tmpdir(), 'plinth-'))
  if (fits) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  rmSync(path, { force: true })
  return {
    folder,
    path,
    remove: () => (fits ? rmSync(path, { force: true }) : rmSync(folder, { recursive: true, force: true })),
  }
}
