import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { World } from '../world.ts'
import { type Inbox, parseMail } from './mails.ts'

type SmtpMode = 'defer' | 'drop' | 'ok' | 'reject'
export const smtpModes: readonly SmtpMode[] = ['ok', 'defer', 'reject', 'drop']
const sizeLimit = 10_000_000

const replied = (code: number, message: string) => Object.assign(new Error(message), { responseCode: code })

export function createSmtp(world: World, inbox: Inbox) {
  const mood: { mode: SmtpMode; times: number } = { mode: 'ok', times: 0 }

  /** The mode of the day, for as many mails as were asked for. */
  const takeMode = (): SmtpMode => {
    const { mode } = mood
    if (mode === 'ok') return mode
    mood.times -= 1
    if (mood.times <= 0) mood.mode = 'ok'
    return mode
  }

  async function read(stream: SMTPServerDataStream): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  async function accept(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const { era } = world
    const raw = await read(stream)
    if (stream.sizeExceeded) throw replied(552, '5.3.4 The message is larger than 10 MB')
    const mail = await parseMail(
      raw,
      session.envelope.rcptTo.map(recipient => recipient.address),
    )
    // As if it had come before the reset.
    if (world.era !== era) return mail.id
    const mode = takeMode()
    if (mode === 'defer') throw replied(451, '4.3.0 Try again later (planted)')
    if (mode === 'reject') throw replied(554, '5.7.1 Refused (planted)')
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
          // "drop": the mail was read whole and the line goes dead before the answer
          if (id === false) dropConnection(session.id)
          else callback(null, `Message queued as ${id}`)
        },
        (error: Error) => callback(error),
      )
    },
  })
  // a client that hangs up in the middle is its own business
  server.on('error', () => undefined)

  function dropConnection(id: string) {
    for (const connection of server.connections) if (connection.id === id) connection._socket.destroy()
  }

  return {
    setMode(mode: SmtpMode, times: number) {
      mood.mode = mode
      mood.times = times
    },
    mood: () => ({ ...mood }),
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
