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
  /** Requires TLS with a verified certificate for other machines. */
  requireTls?: boolean
  /** One address, with or without a name: "Plinth <hello@example.com>". */
  from: string
  /** Reply-To address. */
  supportEmail: string
  log: Log
  /** Called first; throws inside an open database transaction, where no mail may be sent. */
  guard?: () => void
}

export type Mailer = {
  /**
   * Sends one mail to one address.
   * @param options.messageId fixed per operation (an id or a Message-ID), the same for every attempt
   * @throws PermanentMailError (give up) or TemporaryMailError (retry)
   */
  send(mail: Mail, options?: { messageId?: string }): Promise<void>
  close(): void
}

/** Sends all mail of the product. Connects when the first mail is sent. */
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
          // An object and an explicit envelope, so that no header is parsed for more recipients.
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
        // Errors of the SMTP client have a code; anything else is a bug.
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
    // The job retries with back-off; the pool must not retry too.
    maxRequeues: 0,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Never send a password unencrypted over a network.
    requireTLS: (requireTls || password !== '') && !isLoopback(hostname),
  })
}

/** An object, so that it is not parsed for a second address; undefined when it equals the sender. */
function replyTo(address: string, sender: string) {
  if (!isEmail(address)) throw new PermanentMailError('address_invalid')
  return address === sender ? undefined : { name: '', address }
}

function messageIdOf(id: string | undefined, sender: string): string {
  if (id && /^<[\w.+=-]{1,200}@[\w.-]{1,200}>$/.test(id)) return id
  if (id && /^[\w.+=-]{1,200}$/.test(id)) return `<${id}@${sender.slice(sender.lastIndexOf('@') + 1)}>`
  throw new Error('Expected a Message-ID, or an id of letters, digits and . _ + = -')
}
