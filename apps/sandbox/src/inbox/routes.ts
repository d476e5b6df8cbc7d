import type { SandboxContext } from '../context.ts'
import { type ControlCall, type ControlReply, htmlReply, jsonReply } from '../control/reply.ts'
import { missing } from '../http/api-error.ts'
import { appOrigins } from '../http/respond.ts'
import type { Mail } from '../objects/stored-objects.ts'
import { asset, mailPolicy, pagePolicy } from '../pages/assets.ts'

const view = ({ id, to, from, subject, text, html, links, date, message_id, headers }: Mail) => ({
  ...{ id, to, from, subject, text, html, links, date, message_id, headers },
})

/** The page lists mails without their bodies: two thousand mails would be large. */
const summary = ({ id, to, from, subject, text, date }: Mail) => ({
  id,
  to,
  from,
  subject,
  date,
  preview: text.replaceAll(/\s+/g, ' ').slice(0, 120),
})

/** Adds a base element that opens links in a new tab. It is in the head, because the doctype must stay first. */
function mailDocument(context: SandboxContext, mail: Mail): ControlReply {
  const base = '<base target="_blank">'
  const html = mail.html === '' ? '<!doctype html><head></head><p>This mail has no HTML part.' : mail.html
  const withBase = /<head[^>]*>/i.test(html)
    ? html.replace(/<head[^>]*>/i, head => head + base)
    : `${base}${html}`
  return htmlReply(withBase, mailPolicy(appOrigins(context.config.appUrl)))
}

export async function inboxRoutes({
  context,
  method,
  url,
  inbox,
}: ControlCall): Promise<ControlReply | undefined> {
  const { pathname, searchParams: query } = url
  const to = query.get('to') ?? undefined
  if (method === 'GET' && pathname === '/') return htmlReply(asset('inbox.html').toString(), pagePolicy)
  if (method === 'GET' && pathname === '/sandbox/inbox')
    return jsonReply({
      data: inbox
        .list(to)
        .slice(0, Number(query.get('limit') ?? 100))
        .map(view),
    })
  if (method === 'GET' && pathname === '/sandbox/inbox/summaries')
    return jsonReply({ data: inbox.list().map(summary) })
  if (method === 'GET' && pathname === '/sandbox/inbox/wait') {
    const mails = await inbox.wait(
      to,
      query.get('after') ?? '0',
      Math.min(60_000, Number(query.get('timeout') ?? 10_000)),
    )
    return jsonReply({ data: mails.map(view) })
  }
  if (method === 'DELETE' && pathname === '/sandbox/inbox') {
    inbox.clear()
    return jsonReply({ deleted: true })
  }
  const [, id, part] = /^\/sandbox\/inbox\/(mail_\w+)(\/html)?$/.exec(pathname) ?? []
  if (method !== 'GET' || !id) return undefined
  const mail = inbox.get(id)
  if (!mail) throw missing('mail', id)
  return part ? mailDocument(context, mail) : jsonReply(view(mail))
}
