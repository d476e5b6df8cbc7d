import { createTransport } from 'nodemailer'
import { beforeEach, expect, test } from 'vitest'
import { bodyOf, first, sandboxForFile } from './support/sandbox.ts'

interface Mail {
  id: string
  subject: string
  text: string
  headers: { key: string; value: string }[]
}

const sandbox = await sandboxForFile()
beforeEach(() => fetch(`${sandbox.origin}/sandbox/inbox`, { method: 'DELETE' }))

const link = 'http://localhost:5000/signup/verify?token=abc&x=1'

const send = (to = 'ada@example.com', more: object = {}) =>
  createTransport({ host: '127.0.0.1', port: sandbox.smtpPort, secure: false }).sendMail({
    from: '"Plinth ☂" <hello@plinth.test>',
    to,
    subject: 'Bestätige deine Adresse',
    text: `Öffne ${link}.`,
    html: `<html><head><title>t</title></head><body><a href="${link.replace('&', '&amp;')}">Weiter</a><script>alert(1)</script></body></html>`,
    ...more,
  })

const inbox = async (query = '') =>
  (await bodyOf<{ data: Mail[] }>(fetch(`${sandbox.origin}/sandbox/inbox${query}`))).data

test('a mail is stored with addresses, subject, both bodies, links and headers', async () => {
  const { messageId } = await send()
  const mail = first({ data: await inbox('?to=ADA@example.com') })
  expect(mail).toMatchObject({
    to: ['ada@example.com'],
    from: 'Plinth ☂ <hello@plinth.test>',
    subject: 'Bestätige deine Adresse',
    links: [link],
    message_id: messageId,
  })
  expect(mail.text).toContain(`Öffne ${link}`)
  expect(mail.headers).toContainEqual({ key: 'Subject', value: expect.any(String) })
  expect(await (await fetch(`${sandbox.origin}/sandbox/inbox/${mail.id}`)).json()).toMatchObject({
    id: mail.id,
  })
  expect((await fetch(`${sandbox.origin}/sandbox/inbox/mail_none`)).status).toBe(404)
})

test('mails are listed newest first and filtered by recipient', async () => {
  await send('ada@example.com', { subject: 'one' })
  await send('grace@example.com', { subject: 'two' })
  await send('ada@example.com, alan@example.com', { subject: 'three' })
  const subjects = (mails: Mail[]) => mails.map(mail => mail.subject)
  expect(subjects(await inbox())).toEqual(['three', 'two', 'one'])
  expect(subjects(await inbox('?to=ada@example.com'))).toEqual(['three', 'one'])
})

test('a wait ends when a newer mail for the address arrives', async () => {
  await send('ada@example.com', { subject: 'old' })
  const old = first({ data: await inbox() })
  const waiting = inbox(`/wait?to=ada@example.com&after=${old.id}&timeout=20000`)
  await send('grace@example.com', { subject: 'not for her' })
  await send('ada@example.com', { subject: 'new' })
  expect((await waiting).map(mail => mail.subject)).toEqual(['new'])
  expect(await inbox(`/wait?to=nobody@example.com&after=0&timeout=1`)).toEqual([])
})

test('the page has a security policy, and an HTML mail runs and loads nothing', async () => {
  const page = await fetch(sandbox.origin)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(await page.text()).toContain('<h1>Inbox</h1>')
  await send()
  const mail = first({ data: await inbox() })
  const html = await fetch(`${sandbox.origin}/sandbox/inbox/${mail.id}/html`)
  expect(html.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/)
  expect(await html.text()).toContain('<head><base target="_blank">')
})
