import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The first of `count` consecutive free ports (app, sandbox, its mail server). */
export async function freePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    // Below the range from which systems draw the ports of outgoing connections.
    const first = randomInt(20_000, 30_000)
    const wanted = Array.from({ length: count }, (_, index) => first + index)
    const free = await Promise.all(wanted.map(isFree))
    if (free.every(Boolean)) return first
  }
  throw new Error(`No ${count} neighbouring free ports were found.`)
}
