import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

export type Address = { host: string; port: number } | { path: string }

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

/** Serves the engine at a socket's path, or at a port of loopback when there is none. To be called in the engine's own thread. */
export async function serve(
  db: PGlite,
  path: string | null,
): Promise<{ address: Address; stop(): Promise<void> }> {
  const server = new PGLiteSocketServer(
    // Several connections may be open (start-up and the pool); PGlite still runs one query at a time.
    path ? { db, path, maxConnections: 4 } : { db, host: '127.0.0.1', port: 0, maxConnections: 4 },
  )
  const address = await new Promise<Address>((resolve, reject) => {
    server.addEventListener('listening', event => {
      const { detail } = event as CustomEvent<{ port?: number; host?: string }> // as: the library's event type
      resolve(path ? { path } : { host: '127.0.0.1', port: detail.port ?? 0 })
    })
    server.start().catch(reject)
  })
  return { address, stop: () => server.stop() }
}
