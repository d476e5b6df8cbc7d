import { existsSync, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../lib/refusal.ts'
import { isApi, pathOf } from './headers.ts'

const build = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** What the build wrote beside the files that browsers ask for: maps, and what is compressed ahead. */
const beside = ['.map', '.gz', '.br']

/**
 * The web application from the same port: hashed assets for ever, index.html always asked for again. Unknown paths
 * answer index.html only to a page load; under /api, and for anything that looks like a file, they are a 404 (T-85).
 * @param methodsOf the methods a path knows, for a 405 where the path exists
 * @param dist where the build is
 */
export async function serveWeb(app: FastifyInstance, methodsOf: (path: string) => string[], dist = build) {
  const built = existsSync(dist)
  if (built) {
    const folder = join(dist, 'assets')
    const assets = new Set(readdirSync(folder).filter(name => !beside.includes(extname(name))))
    await app.register(fastifyStatic, {
      root: dist,
      // A route for each file, so that a screen's address is no file's; the assets are hundreds, and share theirs.
      wildcard: false,
      globIgnore: ['assets/**', ...beside.map(end => `**/*${end}`)],
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const forever = path.startsWith(folder)
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
    app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
      const { name } = request.params
      // No file is looked for under a name of one's choice.
      return assets.has(name) ? reply.sendFile(name, folder) : reply.callNotFound()
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const methods = methodsOf(path)
    if (methods.length) {
      reply.header('allow', methods.join(', '))
      throw new Refusal('method_not_allowed')
    }
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const page = reads && (request.headers.accept ?? '').includes('text/html') && !isApi(path)
    const file = /\.[a-z0-9]{1,8}$|\/\./i.test(path)
    if (!built || !page || file) throw new Refusal('not_found')
    return reply.sendFile('index.html')
  })
}
