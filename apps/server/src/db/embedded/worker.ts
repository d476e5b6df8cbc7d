import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { serve } from './socket-server.ts'

/**
 * PGlite in its own thread behind a socket: a slow query blocks the database, not the web server.
 */
const { dataDir, path, template } = workerData as {
  dataDir: string | null
  path: string | null
  template: Uint8Array | null
} // as: sent by start.ts

// An idle thread waits in Node for background compilation, which may wait for this thread to collect garbage: the start
// would hang. The timer keeps the thread running.
const awake = setInterval(() => {}, 60_000)
const db = await PGlite.create({
  ...(dataDir ? { dataDir } : {}),
  ...(template ? { loadDataDir: new Blob([Uint8Array.from(template)]) } : {}),
})
const server = await serve(db, path)
clearInterval(awake)

parentPort?.on('message', async (message: 'close' | 'dump') => {
  if (message === 'dump') {
    const dump = await db.dumpDataDir('none')
    parentPort?.postMessage({ dump: new Uint8Array(await dump.arrayBuffer()) })
    return
  }
  await server.stop()
  await db.close()
  parentPort?.postMessage({ closed: true })
})
parentPort?.postMessage({ listening: server.address })
