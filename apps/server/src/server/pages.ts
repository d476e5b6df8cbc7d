import { notFoundPaths, type Path, paths, publicPaths } from '@plinth/contract/paths'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lazily, makeDocument, sendDocument } from '../endpoint/document.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Answers every screen's address with the web application, to any client: 200 for a screen, 404 for the screens that
 * say that there is nothing. Each document names its own absolute address, for search engines and link previews.
 * @param shell index.html of the build
 * @returns answers an address that is no screen's with the 404 screen
 */
export function servePages(app: FastifyInstance, shell: string, publicUrl: string): Answer {
  const answerAt = (path: Path): Answer => {
    const address = path === paths.login ? paths.home : path
    const html = shell.replaceAll('{{public_url}}', publicUrl).replaceAll('{{path}}', address)
    const document = lazily(() => makeDocument('text/html; charset=utf-8', html))
    const status = notFoundPaths.includes(path) ? 404 : 200
    return async (request, reply) => {
      reply.header('cache-control', 'no-cache')
      if (!publicPaths.includes(path)) reply.header('x-robots-tag', 'noindex')
      return sendDocument(request, reply.code(status), await document())
    }
  }
  for (const path of Object.values(paths)) {
    const handler = answerAt(path)
    app.get(path, handler)
    if (path !== paths.home) app.get(`${path}/`, handler)
  }
  return answerAt(paths.notFound)
}
