import type { Server } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach } from 'vitest'
import { openMail } from './mailer.ts'

export type Received = { from: string; to: string[]; raw: string }
type Refusal = { step: 'onConnect' | 'onMailFrom' | 'onRcptTo' | 'onData'; code: number; text?: string }

/** Closes servers and mailers after each test. */
export const open: (() => Promise<void> | void)[] = []
afterEach(async () => {
  // Close both at once: a server waits for its clients to disconnect.
  await Promise.all(open.splice(0).map(close => close()))
})

/** An SMTP server that records messages and can refuse at a given step. */
export async function smtp(refusal?: Refusal, dropAfterData = false, more: SMTPServerOptions = {}) {
  const received: Received[] = []
  const connections = new Set<string>()
  const refuse = (step: Refusal['step']) =>
    refusal?.step === step
      ? Object.assign(new Error(refusal.text ?? 'no'), { responseCode: refusal.code })
      : null
  const options: SMTPServerOptions = {
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    onConnect: (session, done) => {
      connections.add(session.id)
      done(refuse('onConnect'))
    },
    onMailFrom: (_address, _session, done) => done(refuse('onMailFrom')),
    onRcptTo: (_address, _session, done) => done(refuse('onRcptTo')),
    onData: async (stream, session, done) => {
      const raw = await readAll(stream)
      const { mailFrom, rcptTo } = session.envelope
      received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(one => one.address), raw })
      if (dropAfterData) for (const connection of server.connections) connection.close()
      else done(refuse('onData'))
    },
    ...more,
  }
  const server = new SMTPServer(options)
  server.on('error', () => {})
  const port = await listen(server.server)
  open.push(() => new Promise<void>(done => server.close(() => done())))
  return { url: `smtp://127.0.0.1:${port}`, received, connections }
}

export function listen(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address && typeof address === 'object') done(address.port)
    })
  })
}

export function mailer(
  smtpUrl: string,
  more: { requireTls?: boolean; guard?: () => void; from?: string; supportEmail?: string } = {},
) {
  const lines: { fields: object; message: string }[] = []
  const note = (fields: object, message: string) => lines.push({ fields, message })
  const mail = openMail({
    smtpUrl,
    from: 'Plinth <hello@plinth.example>',
    supportEmail: 'support@plinth.example',
    log: { info: note, warn: note, error: note },
    ...more,
  })
  open.push(mail.close)
  return { ...mail, lines }
}

/** Header fields of a message, unfolded; one line each. */
export function headers({ raw }: Received): string[] {
  const [head = ''] = raw.split('\r\n\r\n')
  return head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
}
export const header = (mail: Received, name: string) =>
  headers(mail).filter(line => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))

/** The error of a failed mail; undefined when it was sent. */
export async function failure(sending: Promise<void>): Promise<unknown> {
  return sending.then(
    () => undefined,
    error => error,
  )
}
