import { isEmail } from '@plinth/contract/patterns'
import type { Transporter } from 'nodemailer'
import { isLoopback } from '../../lib/loopback.ts'
import { parseSender } from '../../lib/sender.ts'
import { classifySmtpError, PermanentMailError } from './errors.ts'
import type { Mail } from './registry.ts'
import { renderMail } from './render.ts'

export { PermanentMailError, TemporaryMailError } from './errors.ts'
export type { Mail, MailKind } from './registry.ts'
export { renderMail } from './render.ts'

type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>

export type MailOptions = {
  /** smtp:// or smtps://, with nodemailer's options as query parameters. */
  smtpUrl: string
  /** Sends nothing to another machine without TLS and a verified certificate. */
  requireTls?: boolean
  /** One address, with or without a name: "Plinth <hello@example.com>". */
  from: string
  /** Where answers go. */
  supportEmail: string
  log: Log
  /** Called first, to throw where no mail may leave: inside an open database transaction. */
  guard?: () => void
}

export type Mailer = {
  /**
   * Sends one mail to one address.
   * @param options.messageId fixed per operation (an id, or a whole Message-ID), the same at every try
   * @throws PermanentMailError to give up, TemporaryMailError to try again
   */
  send(mail: Mail, options?: { messageId?: string }): Promise<void>
  close(): void
}

/** The only way mail leaves the product. Connects at the first mail. */
export function openMail({
  smtpUrl,
  requireTls = false,
  from,
  supportEmail,
  log,
  guard,
}: MailOptions): Mailer {
  const sender = parseSender(from)
  if (!sender) throw new Error('MAIL_FROM: expected one address such as Plinth <hello@example.com>')
  if (!isEmail(supportEmail)) throw new Error('SUPPORT_EMAIL: expected one e-mail address')
  let transport: Promise<Transporter> | undefined

  return {
    async send(mail, options) {
      guard?.()
      const answers = replyTo(mail.reply_to ?? supportEmail, sender.address)
      const messageId = messageIdOf(options?.messageId ?? mail.message_id, sender.address)
      const { subject, html, text } = await renderMail(mail)
      transport ??= connect(smtpUrl, requireTls)
      const started = performance.now()
      const fields = { kind: mail.kind, message_id: messageId }
      try {
        await (await transport).sendMail({
          from: sender,
          // An object and an envelope of our own: no header is parsed for more recipients.
          to: { name: '', address: mail.to },
          envelope: { from: sender.address, to: [mail.to] },
          replyTo: answers,
          subject,
          html,
          text,
          messageId,
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        })
      } catch (failure) {
        // What the SMTP client throws has a code; anything else is a bug of ours.
        if (!(failure instanceof Error && 'code' in failure)) throw failure
        const error = classifySmtpError(failure)
        const permanent = error instanceof PermanentMailError
        const details = { ...fields, permanent, code: error.code }
        if (!permanent && error.settings)
          log.error(details, 'mail not sent: the mail server refuses the settings of this installation')
        else log.warn(details, 'mail not sent')
        throw error
      }
      log.info({ ...fields, ms: Math.round(performance.now() - started) }, 'mail sent')
    },
    close() {
      transport?.then(
        open => open.close(),
        () => {},
      )
      transport = undefined
    },
  }
}

async function connect(smtpUrl: string, requireTls: boolean): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const { password, hostname } = new URL(smtpUrl)
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    // The job retries, with its back-off and its count; the pool must not do so on its own.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A password never crosses a network in the clear.
    requireTLS: (requireTls || password !== '') && !isLoopback(hostname),
  })
}

/** An object, so that no second address is read out of it; none where answers come back to the sender anyway. */
function replyTo(address: string, sender: string) {
  if (!isEmail(address)) throw new PermanentMailError('address_invalid')
  return address === sender ? undefined : { name: '', address }
}

function messageIdOf(id: string | undefined, sender: string): string {
  if (id && /^<[\w.+=-]{1,200}@[\w.-]{1,200}>$/.test(id)) return id
  if (id && /^[\w.+=-]{1,200}$/.test(id)) return `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`
  throw new Error('A mail needs a Message-ID, or an id of letters, digits and . _ + = - to make it from')
}
