import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/**
 * PGlite in its own thread behind a socket: a slow query then stalls the database, not the web server.
 * workerData: { dataDir, path?, port?, template? }
 */
const { dataDir, path, template } = workerData as {
  dataDir: string | null
  path: string | null
  template: Uint8Array | null
} // as: sent by embedded.ts

const db = await PGlite.create({
  ...(dataDir ? { dataDir } : {}),
  ...(template ? { loadDataDir: new Blob([Uint8Array.from(template)]) } : {}),
})
/** The answer to one query is five messages or more, each of which would be a packet and wake the other thread. */
function together(socket: Socket) {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean // as: one of its three forms, passed on
  socket.write = (...args: unknown[]) => {
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return write(...args)
  }
}
subscribe('net.server.socket', message => together((message as { socket: Socket }).socket)) // as: documented for this channel

const server = new PGLiteSocketServer(
  // Several connections may be open (start-up and the pool); PGlite still runs one query at a time.
  path ? { db, path, maxConnections: 4 } : { db, host: '127.0.0.1', port: 0, maxConnections: 4 },
)
const address = await new Promise<{ host: string; port: number } | { path: string }>((resolve, reject) => {
  server.addEventListener('listening', event => {
    const { detail } = event as CustomEvent<{ port?: number; host?: string }> // as: the library's event type
    resolve(path ? { path } : { host: '127.0.0.1', port: detail.port ?? 0 })
  })
  server.start().catch(reject)
})

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
parentPort?.postMessage({ listening: address })
