import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { SandboxContext } from '../context.ts'
import { type Inbox, parseMail } from './inbox.ts'

type SmtpMode = 'defer' | 'drop' | 'ok' | 'reject'
export const smtpModes: readonly SmtpMode[] = ['ok', 'defer', 'reject', 'drop']
const sizeLimit = 10_000_000

const smtpError = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })

export function createSmtp(context: SandboxContext, inbox: Inbox) {
  const smtpMode: { mode: SmtpMode; times: number } = { mode: 'ok', times: 0 }

  const takeMode = (): SmtpMode => {
    const { mode } = smtpMode
    if (mode === 'ok') return mode
    smtpMode.times -= 1
    if (smtpMode.times <= 0) smtpMode.mode = 'ok'
    return mode
  }

  async function read(stream: SMTPServerDataStream): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  async function accept(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const { resetCount } = context
    const raw = await read(stream)
    if (stream.sizeExceeded) throw smtpError(552, '5.3.4 The message is larger than 10 MB')
    const mail = await parseMail(
      raw,
      session.envelope.rcptTo.map(recipient => recipient.address),
    )
    // The reset would have deleted this mail.
    if (context.resetCount !== resetCount) return mail.id
    const mode = takeMode()
    if (mode === 'defer') throw smtpError(451, '4.3.0 Try again later (sandbox fault)')
    if (mode === 'reject') throw smtpError(554, '5.7.1 Refused (sandbox fault)')
    if (mode === 'drop') return false
    inbox.add(mail)
    return mail.id
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    size: sizeLimit,
    closeTimeout: 500,
    onData(stream, session, callback) {
      accept(stream, session).then(
        id => {
          // "drop": the connection closes after the mail and before the reply.
          if (id === false) dropConnection(session.id)
          else callback(null, `Message queued as ${id}`)
        },
        (error: Error) => callback(error),
      )
    },
  })
  // Ignore clients that disconnect.
  server.on('error', () => undefined)

  function dropConnection(id: string) {
    for (const connection of server.connections) if (connection.id === id) connection._socket.destroy()
  }

  return {
    setMode(mode: SmtpMode, times: number) {
      smtpMode.mode = mode
      smtpMode.times = times
    },
    mood: () => ({ ...smtpMode }),
    listen: (port: number, host: string) =>
      new Promise<number>((resolve, reject) => {
        server.server.once('error', reject)
        server.listen(port, host, () => {
          const address = server.server.address()
          resolve(typeof address === 'object' && address ? address.port : port)
        })
      }),
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

export type Smtp = ReturnType<typeof createSmtp>
