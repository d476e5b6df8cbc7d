import { paths } from '@plinth/contract/paths'
import type { FastifyInstance } from 'fastify'
import { locales } from '../lib/i18n.ts'

const dayMs = 86_400_000
/** RFC 9116 recommends less than a year. */
const expiresAfterMs = 180 * dayMs

/** Addresses that programs look up on every site: where to report a vulnerability, where to change a password. */
export function wellKnown(
  app: FastifyInstance,
  { supportEmail, publicUrl, now }: { supportEmail: string; publicUrl: string; now: () => Date },
) {
  app.get('/.well-known/security.txt', (_request, reply) => {
    const today = Math.floor(now().getTime() / dayMs) * dayMs
    const lines = [
      `Contact: mailto:${supportEmail}`,
      `Expires: ${new Date(today + expiresAfterMs).toISOString()}`,
      `Preferred-Languages: ${locales.join(', ')}`,
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ]
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
  })
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect(paths.password, 303))
}
