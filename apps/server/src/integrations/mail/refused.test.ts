import { createServer, type Socket } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { PermanentMailError, TemporaryMailError } from './mailer.ts'
import { sample } from './samples.fixture.ts'
import { failure, header, listen, mailer, open, smtp } from './smtp.fixture.ts'

test.each([
  ['greeting', 'onConnect', 421],
  ['sender', 'onMailFrom', 451],
  ['recipient, greylisted', 'onRcptTo', 450],
  ['message', 'onData', 452],
  // These concern our server or settings, not the mail.
  ['greeting, for good', 'onConnect', 554],
  ['sender, for good', 'onMailFrom', 550],
  ['recipient, sign in first', 'onRcptTo', 530],
] as const)('%s refused (%s %i): try again later', async (_, step, code) => {
  const server = await smtp({ step, code })
  const error = await failure(mailer(server.url).send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(TemporaryMailError)
  expect(error).toMatchObject({ code })
})

test.each([
  ['onRcptTo', 550, 'address_refused'],
  ['onRcptTo', 553, 'address_refused'],
  ['onData', 554, 'message_refused'],
] as const)('%s %i is for good: %s', async (step, code, reason) => {
  const server = await smtp({ step, code })
  const error = await failure(mailer(server.url).send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(PermanentMailError)
  expect(error).toMatchObject({ reason, code })
})

test.each([
  ['a temporary answer', 'onRcptTo', 450, 'mail not sent'],
  ['a sender that is not allowed', 'onMailFrom', 550, 'refuses the settings'],
  ['a sign-in that is asked for', 'onRcptTo', 530, 'refuses the settings'],
  ['a sign-in that is asked for late', 'onData', 530, 'refuses the settings'],
] as const)(
  'only a settings problem is logged as an error for the operator: %s',
  async (_, step, code, words) => {
    const server = await smtp({ step, code })
    const mail = mailer(server.url)
    await failure(mail.send(sample('invite'), { messageId: 'op-1' }))
    expect(mail.lines).toMatchObject([
      { message: expect.stringContaining(words), fields: { kind: 'invite', permanent: false, code } },
    ])
  },
)

test('a wrong SMTP password (535) is a settings problem, and the mail is retried', async () => {
  const server = await smtp(undefined, false, {
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: false,
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
  })
  const mail = mailer(server.url.replace('smtp://', 'smtp://user:wrong@'))
  const error = await failure(mail.send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(TemporaryMailError)
  expect(error).toMatchObject({ code: 535, settings: true })
  expect(mail.lines).toMatchObject([{ message: expect.stringContaining('refuses the settings') }])
})

test('denied relaying (5.7.1) is a settings problem, and the mail is retried', async () => {
  const server = await smtp({ step: 'onRcptTo', code: 550, text: '5.7.1 Relaying denied' })
  const error = await failure(mailer(server.url).send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(TemporaryMailError)
})

test('a refused connection is temporary, and the same mailer recovers', async () => {
  const held = createServer()
  const port = await listen(held)
  await new Promise(done => held.close(done))
  const mail = mailer(`smtp://127.0.0.1:${port}`)
  const error = await failure(mail.send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(TemporaryMailError)

  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: async (stream, _session, done) => {
      received.push(await readAll(stream))
      done()
    },
  })
  await new Promise<void>(done => server.listen(port, '127.0.0.1', done))
  open.push(() => new Promise<void>(done => server.close(() => done())))
  await mail.send(sample('invite'), { messageId: 'op-1' })
  expect(received).toHaveLength(1)
})

test('a server without a greeting times out as a temporary error', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer(socket => sockets.add(socket))
  const port = await listen(silent)
  open.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>(done => silent.close(() => done()))
  })
  const mail = mailer(`smtp://127.0.0.1:${port}?greetingTimeout=50`)
  const error = await failure(mail.send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(TemporaryMailError)
})

test('a connection lost after the message is not retried by the pool; the retry has the same Message-ID', async () => {
  const server = await smtp(undefined, true)
  const mail = mailer(server.url)
  const send = () => failure(mail.send({ ...sample('invite'), message_id: 'op-1' }))
  expect(await send()).toBeInstanceOf(TemporaryMailError)
  expect(server.received).toHaveLength(1)
  expect(await send()).toBeInstanceOf(TemporaryMailError)
  const ids = server.received.map(got => header(got, 'Message-ID'))
  expect(ids).toEqual([['Message-ID: <op-1@plinth.example>'], ['Message-ID: <op-1@plinth.example>']])
})

test('a password is not sent over an unencrypted network', async () => {
  const passwords: unknown[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: (auth, _session, done) => {
      passwords.push(auth.password)
      done(null, { user: auth.username })
    },
  })
  server.on('error', () => {})
  const port = await listen(server.server)
  open.push(() => new Promise<void>(done => server.close(() => done())))
  // This machine under a name that is not recognised as loopback.
  const remote = mailer(`smtp://user:secret@[::ffff:127.0.0.1]:${port}`)
  const error = await failure(remote.send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(TemporaryMailError)
  expect(error).toMatchObject({ code: expect.not.stringMatching(/ECONNECTION|ESOCKET|EDNS/) })
  expect(passwords).toEqual([])
  await mailer(`smtp://user:secret@127.0.0.1:${port}`).send(sample('invite'), { messageId: 'op-1' })
  expect(passwords).toEqual(['secret'])
})

test.each([
  ['offers no TLS', ['STARTTLS']],
  ['has a self-signed certificate', []],
])('with requireTls nothing is sent to a server that %s [V12.3.2]', async (_, disabledCommands) => {
  const server = await smtp(undefined, false, { disabledCommands })
  // This machine under a name that is not recognised as loopback.
  const url = server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]')
  const error = await failure(mailer(url, { requireTls: true }).send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toBeInstanceOf(TemporaryMailError)
  expect(server.connections.size).toBeGreaterThan(0)
  expect(server.received).toEqual([])
})

test('a server that closes the connection is not contacted again until the job retries', async () => {
  let calls = 0
  const rude = createServer(socket => {
    calls += 1
    socket.end()
  })
  const port = await listen(rude)
  open.push(() => new Promise<void>(done => rude.close(() => done())))
  const mail = mailer(`smtp://127.0.0.1:${port}`)
  expect(await failure(mail.send(sample('invite'), { messageId: 'op-1' }))).toBeInstanceOf(TemporaryMailError)
  expect(calls).toBe(1)
})
