import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Readiness } from './health.ts'

/** While the server drains each answer is its connection's last: a kept-alive one would hold the close for a minute. */
export function lastAnswers(app: FastifyInstance, readiness: Readiness) {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (readiness.draining) reply.header('connection', 'close')
    done(null, payload)
  })
}

/**
 * Call it before the app listens.
 * @returns closes the app: running requests get `graceMs` to finish, then their connections are closed
 */
export function closer(app: FastifyInstance): (graceMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  app.server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const cut = (which: (socket: Socket) => boolean) => {
    for (const socket of sockets) if (which(socket)) socket.destroy()
  }
  return async graceMs => {
    const idle = setInterval(() => {
      app.server.closeIdleConnections()
      // Browsers open connections ahead of need. One that has not asked anything yet is busy in Node's eyes.
      cut(socket => socket.bytesRead === 0)
    }, 250)
    const end = setTimeout(() => cut(() => true), graceMs)
    try {
      await app.close()
    } finally {
      clearInterval(idle)
      clearTimeout(end)
    }
  }
}
