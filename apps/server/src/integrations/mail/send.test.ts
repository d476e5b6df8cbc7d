import { expect, test } from 'vitest'
import type { Mail } from './mailer.ts'
import { sample } from './samples.fixture.ts'
import { failure, header, headers, mailer, type Received, smtp } from './smtp.fixture.ts'

test('one mail is one message to one recipient, with our headers', async () => {
  const server = await smtp()
  const mail = mailer(server.url)
  await mail.send(sample('verify_email'), { messageId: 'op-1' })
  expect(server.received).toHaveLength(1)
  const [got] = server.received
  if (!got) return
  expect(got.from).toBe('hello@plinth.example')
  expect(got.to).toEqual(['mara@northquay.studio'])
  expect(header(got, 'From')).toEqual(['From: Plinth <hello@plinth.example>'])
  expect(header(got, 'To')).toEqual(['To: mara@northquay.studio'])
  expect(header(got, 'Reply-To')).toEqual(['Reply-To: support@plinth.example'])
  expect(header(got, 'Subject')).toEqual(['Subject: Verify your email'])
  expect(header(got, 'Message-ID')).toEqual(['Message-ID: <op-1@plinth.example>'])
  expect(header(got, 'Auto-Submitted')).toEqual(['Auto-Submitted: auto-generated'])
  expect(got.raw).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/)
  const body = got.raw.replace(/=\r\n/g, '').replaceAll('=3D', '=')
  expect(body).toContain(`\r\n${sample('verify_email').data.url}\r\n`)
})

test('the Reply-To of a support message is the one address of its sender [T-71]', async () => {
  const server = await smtp()
  const mail = mailer(server.url)
  await mail.send({ ...sample('help_request'), reply_to: 'ines@northquay.studio' }, { messageId: 'op-1' })
  const [got] = server.received
  expect(got && header(got, 'Reply-To')).toEqual(['Reply-To: ines@northquay.studio'])
  for (const reply_to of ['a@b.example, victim@evil.com', 'a@b.example\r\nBcc: victim@evil.com', ''])
    expect(
      await failure(mail.send({ ...sample('help_request'), reply_to }, { messageId: 'op-2' })),
    ).toMatchObject({ reason: 'address_invalid' })
  expect(server.received).toHaveLength(1)
})

test('many mails share the connections of the pool', async () => {
  const server = await smtp()
  const mail = mailer(server.url)
  await Promise.all(
    Array.from({ length: 12 }, (_, at) => mail.send(sample('invite'), { messageId: `op-${at}` })),
  )
  expect(server.received).toHaveLength(12)
  expect(server.connections.size).toBeLessThanOrEqual(2)
})

test('the log names the kind and the Message-ID, never the address or the link', async () => {
  const server = await smtp()
  const refusing = await smtp({ step: 'onRcptTo', code: 550, text: 'no mara@northquay.studio here' })
  const [good, bad] = [mailer(server.url), mailer(refusing.url)]
  await good.send(sample('invite'), { messageId: 'op-1' })
  const error = await failure(bad.send(sample('invite'), { messageId: 'op-2' }))
  expect(good.lines).toMatchObject([
    { message: 'mail sent', fields: { kind: 'invite', message_id: '<op-1@plinth.example>' } },
  ])
  expect(bad.lines).toMatchObject([{ message: 'mail not sent', fields: { permanent: true, code: 550 } }])
  expect(JSON.stringify([good.lines, bad.lines]) + String(error)).not.toMatch(/northquay|token/i)
})

test('line breaks in every field reach one recipient and add no header', async () => {
  const server = await smtp()
  const mail = mailer(server.url)
  const evil = 'x\r\nBcc: victim@evil.com\r\nX-Evil: 1\r\n\r\nbody'
  const calm = sample('invite')
  if (calm.kind !== 'invite') return
  const { url, days } = calm.data
  await mail.send(
    { ...calm, locale: evil, data: { inviter: evil, account_name: evil, role: evil, url, days } },
    { messageId: 'op-1' },
  )
  await mail.send(calm, { messageId: 'op-2' })
  const [got, plain] = server.received
  if (!got || !plain) throw new Error('two mails were sent')
  expect(got.to).toEqual(['mara@northquay.studio'])
  const names = (one: Received) => headers(one).map(line => line.split(':')[0])
  expect(names(got)).toEqual(names(plain))

  const injected: Mail[] = [
    { ...calm, to: 'mara@northquay.studio\r\nBcc: victim@evil.com' },
    { ...calm, to: 'mara@northquay.studio, victim@evil.com' },
    { ...calm, to: 'mara@northquay.studio> <victim@evil.com' },
  ]
  for (const one of injected) {
    expect(await failure(mail.send(one, { messageId: 'op-3' }))).toMatchObject({ reason: 'address_invalid' })
  }
  expect(await failure(mail.send(calm, { messageId: evil }))).toMatchObject({
    message: expect.stringContaining('Message-ID'),
  })
  expect(server.received).toHaveLength(2)
})

test('a mail without a message id throws', async () => {
  const server = await smtp()
  expect(await failure(mailer(server.url).send(sample('invite')))).toMatchObject({
    message: expect.stringContaining('Message-ID'),
  })
  expect(server.received).toEqual([])
})

test('the guard stops a mail before anything happens', async () => {
  const server = await smtp()
  const guard = () => {
    throw new Error('inside a transaction')
  }
  const error = await failure(mailer(server.url, { guard }).send(sample('invite'), { messageId: 'op-1' }))
  expect(error).toMatchObject({ message: 'inside a transaction' })
  expect(server.connections.size).toBe(0)
})

test.each(['a@b.co, c@d.co', 'Plinth <a@b.co> <c@d.co>', 'Plinth <a@b.co>\r\nBcc: c@d.co', 'Plinth', ''])(
  'the invalid sender %j throws at start',
  from => {
    expect(() => mailer('smtp://127.0.0.1:1', { from })).toThrow('MAIL_FROM')
  },
)
