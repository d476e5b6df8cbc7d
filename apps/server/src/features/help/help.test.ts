import { describe, expect, test } from 'vitest'
import { queuedMails } from '../../../test/harness/queued-mails.ts'
import { makeTestApp, password } from '../../../test/harness.ts'
import { renderMail } from '../../integrations/mail/mailer.ts'

const support = 'support@help.test.plinth.example'
const { call, people, db, services } = await makeTestApp({ SUPPORT_EMAIL: support })
const outgoing = queuedMails({ db, services })
const requests = (about = '') =>
  outgoing(mail => mail.kind === 'help_request' && JSON.stringify(mail).includes(about))
const send = (token: string | undefined, body: unknown, headers?: Record<string, string>) =>
  call('POST', '/api/utility/mail', { token, body, headers })

describe('[call:POST /api/utility/mail] a message to support', () => {
  test('is mailed to support with the sender’s address as the reply address', async () => {
    const user = await people.owner()
    const message =
      'The list stays empty.\n\n  It was full – “this morning”.\nhttps://app.example/list?page=2'
    const answer = await send(user.token, { email: user.email, name: user.name, template: 'help', message })
    expect(answer).toMatchObject({
      status: 200,
      body: { data: {}, message: expect.stringMatching(/sent your message to support/) },
    })
    const mail = await people.mailTo(support)
    expect(mail.subject).toBe('Support request from Mara Okafor')
    for (const words of [
      'It was full – “this morning”.',
      'https://app.example/list?page=2',
      user.email,
      user.account_id,
      'plan Free, role owner',
    ])
      expect(mail.text).toContain(words)
    expect(await requests(user.email)).toMatchObject([{ to: support, reply_to: user.email }])
  })

  test.each(['admin', 'developer', 'user'] as const)(
    'a message from the role %s names the role [role:user-any]',
    async role => {
      const person = await people.member(await people.owner(), role)
      expect((await send(person.token, { message: 'Hello' })).status).toBe(200)
      expect(await requests(person.email)).toMatchObject([{ reply_to: person.email, data: { role } }])
    },
  )

  test('is confirmed in the sender’s language', async () => {
    const user = await people.owner()
    const answer = await send(user.token, { message: 'Hallo' }, { 'accept-language': 'de' })
    expect(answer.body.message).toMatch(/gesendet/)
  })

  test('a double click sends one message', async () => {
    const user = await people.owner()
    const headers = { 'idempotency-key': `help-${user.id}` }
    const answers = [
      await send(user.token, { message: 'Once' }, headers),
      await send(user.token, { message: 'Once' }, headers),
    ]
    expect(answers.map(({ status, body }) => [status, Boolean(body.message)])).toEqual([
      [200, true],
      [200, true],
    ])
    expect(await requests(user.email)).toHaveLength(1)
  })
})

describe('T-71 can’t be used to mail other people', () => {
  test.each([
    ['another recipient', { email: 'victim@evil.example', name: 'Support' }],
    ['a list of recipients', { email: 'a@evil.example, b@evil.example' }],
    ['a header in an address', { email: 'a@evil.example\r\nBcc: victim@evil.example' }],
    ['a header in a name', { name: 'x\r\nBcc: victim@evil.example' }],
    ['a header in the message', { message: 'x\r\nBcc: victim@evil.example\r\n\r\nbody' }],
  ])('%s changes nothing', async (_what, fields) => {
    const user = await people.owner()
    expect((await send(user.token, { message: 'Hello', template: 'help', ...fields })).status).toBe(200)
    expect(await requests(user.email)).toMatchObject([
      { to: support, reply_to: user.email, data: { email: user.email } },
    ])
    expect((await outgoing()).filter(({ to }) => to.includes('evil'))).toEqual([])
  })

  test.each([
    ['another template', { template: 'reset_link' }],
    ['a path for a template', { template: '../../etc/passwd' }],
    ['a recipient by its name', { to: 'victim@evil.example' }],
    ['a subject', { subject: 'Hello' }],
    ['no message', { message: undefined }],
    ['an empty message', { message: ' \n\t ' }],
    ['a message without end', { message: 'x'.repeat(5001) }],
    ['a null in the message', { message: 'a\0b' }],
    ['a list of messages', { message: ['a', 'b'] }],
  ])('%s is refused', async (_what, fields) => {
    const user = await people.owner()
    const answer = await send(user.token, { message: 'Hello', ...fields })
    expect(answer.status).toBe(422)
    expect(await requests(user.email)).toEqual([])
  })

  test('characters that reverse or hide text are removed', async () => {
    const user = await people.owner()
    await send(user.token, { message: 'abc\u202eFDP.exe\u2066 \u200bx' })
    const [mail] = await requests(user.email)
    const { text } = await renderMail(mail ?? expect.fail('no mail'))
    expect(text).toContain('abcFDP.exe x')
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b]/)
  })

  test('markup in a name is shown as text', async () => {
    const user = await people.owner()
    await call('PATCH', '/api/user', {
      token: user.token,
      body: { first_name: '<img src=x onerror=alert(1)>' },
    })
    await send(user.token, { message: '<script>alert(1)</script> & "words"' })
    const [mail] = await requests(user.email)
    const { html } = await renderMail(mail ?? expect.fail('no mail'))
    expect(html).not.toMatch(/<script|<img src=x/)
  })
})

test('visitors, unverified users and users without a plan are refused', async () => {
  expect((await send(undefined, { message: 'x' })).status).toBe(401)
  expect((await send((await people.signUp()).token, { message: 'x' })).status).toBe(403)
  expect((await send((await people.verified()).token, { message: 'x' })).status).toBe(402)
})

test('[T-72] a user may send five messages an hour', async () => {
  const strict = await makeTestApp({ SUPPORT_EMAIL: support, RATE_LIMIT_FACTOR: '1' })
  const user = await strict.people.owner()
  const answers: number[] = []
  for (let n = 0; n < 6; n++)
    answers.push(
      (await strict.call('POST', '/api/utility/mail', { token: user.token, body: { message: `No. ${n}` } }))
        .status,
    )
  expect(answers).toEqual([200, 200, 200, 200, 200, 429])
  expect(await queuedMails(strict)(({ kind }) => kind === 'help_request')).toHaveLength(5)
  // Other users have their own limit.
  const answer = await strict.call('DELETE', '/api/account', { token: user.token, body: { password } })
  expect(answer.status).toBe(200)
  const other = await strict.people.owner()
  const sent = await strict.call('POST', '/api/utility/mail', { token: other.token, body: { message: 'Hi' } })
  expect(sent.status).toBe(200)
})
