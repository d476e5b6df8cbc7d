import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../lib/refusal.ts'
import { isApi, pathOf } from './headers.ts'

const build = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/**
 * The web application from the same port: hashed assets for ever, index.html always asked for again. Unknown paths
 * answer index.html only to a page load; under /api, and for anything that looks like a file, they are a 404 (T-85).
 * @param methodsOf the methods a path knows, for a 405 where the path exists
 * @param dist where the build is
 */
export async function serveWeb(app: FastifyInstance, methodsOf: (path: string) => string[], dist = build) {
  const built = existsSync(dist)
  if (built) {
    const assets = { root: join(dist, 'assets'), prefix: '/assets/', decorateReply: false }
    // A route for each, so that a screen's address is no file's; the assets are hundreds, and share theirs.
    const others = { root: dist, wildcard: false, globIgnore: ['assets/**', '**/*.{map,gz,br}'] }
    for (const files of [others, assets])
      await app.register(fastifyStatic, {
        ...files,
        index: false,
        preCompressed: true,
        cacheControl: false,
        // Only what the build wrote for browsers: no maps, no dot files, no folders.
        allowedPath: path => !/\.(map|gz|br)$|\/\.|\/$/.test(path),
        setHeaders(reply) {
          const forever = files === assets
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
