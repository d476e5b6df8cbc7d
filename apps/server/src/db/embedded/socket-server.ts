import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

export type Address = { host: string; port: number } | { path: string }

/** Sends the messages of one reply, five or more, as one packet: each packet would wake the other thread. */
function corkWrites(socket: Socket) {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean // as: one of its three forms, passed on
  socket.write = (...args: unknown[]) => {
    if (socket.writableCorked === 0) {
      socket.cork()
      process.nextTick(() => socket.uncork())
    }
    return write(...args)
  }
}
subscribe('net.server.socket', message => corkWrites((message as { socket: Socket }).socket)) // as: documented for this channel

/** Serves the engine at a socket's path, or without one at a loopback port. Runs in the engine's thread. */
export async function serve(
  db: PGlite,
  path: string | null,
): Promise<{ address: Address; stop(): Promise<void> }> {
  const server = new PGLiteSocketServer(
    // The start and the pool connect at the same time; PGlite still runs one query at a time.
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
