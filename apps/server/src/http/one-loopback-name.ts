import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const loopback = ['localhost', '127.0.0.1', '[::1]']

/**
 * Leads pages opened under another name of this machine to PUBLIC_URL. Cookies know one name only: a social sign-in that
 * begins at 127.0.0.1 comes back to localhost, where nothing is known of it.
 */
export function oneLoopbackName(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>) {
  const own = new URL(publicUrl)
  if (!loopback.includes(own.hostname)) return
  const names = loopback.map(name => `${name}${own.port && `:${own.port}`}`)
  const others = names.filter(name => name !== own.host)
  app.addHook('onRequest', async (request, reply) => {
    const { method, url, headers } = request
    const isPage = method === 'GET' && headers['sec-fetch-dest'] === 'document' && url.startsWith('/')
    if (!isPage || !others.includes(headers.host ?? '')) return
    reply.header('cache-control', 'no-store')
    return reply.redirect(`${publicUrl}${url}`, 307)
  })
}
