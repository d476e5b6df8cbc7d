import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { SandboxContext } from '../context.ts'
import { type Inbox, parseMail } from './inbox.ts'

const sizeLimit = 10_000_000

export function createSmtp(context: SandboxContext, inbox: Inbox) {
  async function read(stream: SMTPServerDataStream): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  async function accept(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const { resetCount } = context
    const raw = await read(stream)
    if (stream.sizeExceeded)
      throw Object.assign(new Error('5.3.4 The message is larger than 10 MB'), { responseCode: 552 })
    const mail = await parseMail(
      raw,
      session.envelope.rcptTo.map(recipient => recipient.address),
    )
    // The reset would have deleted this mail.
    if (context.resetCount === resetCount) inbox.add(mail)
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
        id => callback(null, `Message queued as ${id}`),
        (error: Error) => callback(error),
      )
    },
  })
  // Ignore clients that disconnect.
  server.on('error', () => undefined)

  return {
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
