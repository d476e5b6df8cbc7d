import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { paths } from '@plinth/contract/paths'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../lib/refusal.ts'
import { isApi, pathOf } from './headers.ts'
import { servePages } from './pages.ts'

const build = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

/** Files of the build that browsers don't ask for by name: source maps and compressed copies. */
const beside = ['.map', '.gz', '.br']

/**
 * The web application from the same port: hashed assets for ever, everything else revalidated. An unknown address gets
 * the 404 screen; under /api, /auth and /assets, where programs ask, it gets JSON (T-85).
 * @param methodsOf the methods a path knows, for a 405 where the path exists
 * @param dist where the build is
 */
export async function serveWeb(
  app: FastifyInstance,
  methodsOf: (path: string) => string[],
  publicUrl: string,
  dist = build,
) {
  const built = existsSync(dist)
  if (built) await serveFiles(app, dist)
  const notFoundPage = built && servePages(app, readFileSync(join(dist, 'index.html'), 'utf8'), publicUrl)
  const screens = new Set<string>(Object.values(paths))
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    // As it was written: `/api%2fkey` is no call's address.
    const written = request.url.split('?', 1)[0] ?? ''
    const methods = screens.has(path) ? ['GET', 'HEAD'] : methodsOf(written)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (methods.length && !(reads && screens.has(path))) {
      reply.header('allow', methods.join(', '))
      throw new Refusal('method_not_allowed')
    }
    if (!notFoundPage || !reads || isApi(path) || path.startsWith('/assets/')) throw new Refusal('not_found')
    return notFoundPage(request, reply)
  })
}

async function serveFiles(app: FastifyInstance, dist: string) {
  const folder = join(dist, 'assets')
  const assets = new Set(readdirSync(folder).filter(name => !beside.includes(extname(name))))
  await app.register(fastifyStatic, {
    root: dist,
    // A route for each file, so that a screen's address is no file's; the assets are hundreds, and share theirs.
    wildcard: false,
    globIgnore: ['index.html', 'assets/**', ...beside.map(end => `**/*${end}`)],
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
