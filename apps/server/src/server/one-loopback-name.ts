import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { isLoopback, loopbackNames } from '../lib/loopback.ts'

/**
 * Redirects pages opened under another name of this machine to PUBLIC_URL. A cookie belongs to one name: a social sign-in
 * that begins at 127.0.0.1 returns to localhost, without its cookie.
 */
export function oneLoopbackName(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>) {
  const own = new URL(publicUrl)
  if (!isLoopback(own.hostname)) return
  const names = loopbackNames.map(name => `${name}${own.port && `:${own.port}`}`)
  const others = names.filter(name => name !== own.host)
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, headers } = request
    const isPage = method === 'GET' && headers['sec-fetch-dest'] === 'document' && url.startsWith('/')
    if (!isPage || !others.includes(headers.host ?? '')) return
    reply.header('cache-control', 'no-store')
    return reply.redirect(`${publicUrl}${url}`, 307)
  })
}
