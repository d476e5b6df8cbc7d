import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../lib/refusal.ts'
import { isApi, pathOf } from './headers.ts'

const dist = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/**
 * The web application from the same port: hashed assets for ever, index.html always asked for again. Unknown paths
 * answer index.html only to a page load; under /api, and for anything that looks like a file, they are a 404 (T-85).
 * @param methodsOf the methods a path knows, for a 405 where the path exists
 */
export async function serveWeb(app: FastifyInstance, methodsOf: (path: string) => string[]) {
  const built = existsSync(dist)
  if (built) {
    await app.register(fastifyStatic, {
      root: dist,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      // Only what the build wrote for browsers: no maps, no dot files.
      allowedPath: path => !/\.(map|gz|br)$|\/\./.test(path),
      setHeaders(reply, path) {
        const forever = path.includes('/assets/')
        reply.header('cache-control', forever ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
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
