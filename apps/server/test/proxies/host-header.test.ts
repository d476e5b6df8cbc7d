import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../harness.ts'

/**
 * Links in mails use PUBLIC_URL and ignore the host of the request. Sends raw bytes, because HTTP clients refuse such
 * requests, from the address of a trusted proxy, whose headers the server accepts.
 */
const { app, config, people } = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
await app.listen({ port: 0, host: '127.0.0.1' })
const port = Number(new URL(app.listeningOrigin).port)
const own = new URL(config.publicUrl).host

/** Answers the status alone. */
async function send(lines: readonly string[], body: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const length = `content-length: ${Buffer.byteLength(body)}`
  socket.write(
    [...lines, 'connection: close', 'content-type: application/json', length, '', body].join('\r\n'),
  )
  let answer = ''
  for await (const piece of socket.setEncoding('utf8')) answer += piece
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])
}

/** Forged request targets and headers. `refused` when the server must not handle the request. */
const attacks: Record<string, { target?: string; headers: string[]; refused?: true }> = {
  'its own host': { headers: [`Host: ${own}`] },
  'a foreign Host': { headers: ['Host: evil.example'], refused: true },
  'a foreign Host with our port': { headers: ['Host: evil.example:5000'], refused: true },
  'a Host that begins as ours': { headers: [`Host: ${own}.evil.example`], refused: true },
  'a Host with a user': { headers: [`Host: ${own}@evil.example`], refused: true },
  'a Host that ends as ours': { headers: [`Host: evil.example#${own}`], refused: true },
  'no Host': { headers: [], refused: true },
  'X-Forwarded-Host': { headers: [`Host: ${own}`, 'X-Forwarded-Host: evil.example'] },
  'X-Forwarded-Host, two of them': {
    headers: [`Host: ${own}`, 'X-Forwarded-Host: evil.example, evil.example'],
  },
  'X-Forwarded-Proto': { headers: [`Host: ${own}`, 'X-Forwarded-Proto: evil', 'X-Forwarded-Port: 666'] },
  'every header that names a host': {
    headers: [
      `Host: ${own}`,
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Server: evil.example',
      'X-Forwarded-Proto: https',
      'Forwarded: host=evil.example;proto=https',
      'X-Host: evil.example',
      'X-Original-Host: evil.example',
      'X-Original-URL: https://evil.example/',
      'X-Rewrite-URL: https://evil.example/',
      'X-HTTP-Host-Override: evil.example',
      'Origin: https://evil.example',
      'Referer: https://evil.example/',
    ],
  },
  'a foreign absolute target': { target: 'http://evil.example', headers: [`Host: ${own}`], refused: true },
  'our absolute target, a foreign Host': {
    target: config.publicUrl,
    headers: ['Host: evil.example'],
    refused: true,
  },
  'two Hosts, ours first': { headers: [`Host: ${own}`, 'Host: evil.example'], refused: true },
  'two Hosts, ours last': { headers: ['Host: evil.example', `Host: ${own}`], refused: true },
}

type Request = { method: string; path: string; token?: string; body: object; mails: string[] }
const [owner, unproven, moving] = [await people.owner(), await people.signUp(), await people.owner()]
const invited = freshEmail('invited')
const names = { first_name: 'Mara', last_name: 'Okafor' }
/** Calls that send mails, with their bodies and recipients. */
const routes: Record<string, () => Request | Promise<Request>> = {
  'sign-up'() {
    const email = freshEmail()
    return { method: 'POST', path: '/api/account', body: { ...names, email, password }, mails: [email] }
  },
  'sign-up with a taken address': () => ({
    method: 'POST',
    path: '/api/account',
    body: { ...names, email: owner.email, password },
    mails: [],
  }),
  'verification again': () => ({
    method: 'POST',
    path: '/api/user/verify/request',
    token: unproven.token,
    body: {},
    mails: [unproven.email],
  }),
  'magic link': () => ({
    method: 'POST',
    path: '/api/auth/magic',
    body: { email: owner.email },
    mails: [owner.email],
  }),
  'password reset': () => ({
    method: 'POST',
    path: '/api/auth/password/reset/request',
    body: { email: owner.email },
    mails: [owner.email],
  }),
  // Sent again, it has a new link.
  invite: () => ({
    method: 'POST',
    path: '/api/invite',
    token: owner.token,
    body: { email: invited, permission: 'user' },
    mails: [invited],
  }),
  'a new address'() {
    const email = freshEmail('new')
    return { method: 'PATCH', path: '/api/user', token: moving.token, body: { email }, mails: [email] }
  },
  async 'a new password'() {
    const { email, token } = await people.owner()
    const body = { oldpassword: password, newpassword: 'another-good-password-2' }
    return { method: 'PUT', path: '/api/user/password', token, body, mails: [email, email] }
  },
  'a sign-in on a new device': () => ({
    method: 'POST',
    path: '/api/auth',
    body: { email: owner.email, password },
    mails: [],
  }),
}

const sent: string[] = []

test.each(Object.entries(attacks))('T-74 %s', async (_, { target = '', headers, refused }) => {
  for (const [name, make] of Object.entries(routes)) {
    const { method, path, token, body, mails } = await make()
    const lines = [`${method} ${target}${path} HTTP/1.1`, ...headers]
    if (token) lines.push(`Authorization: Bearer ${token}`)
    const status = await send(lines, JSON.stringify(body))
    expect(refused ? [400, 421] : [200], name).toContain(status)
    if (!refused) sent.push(...mails)
  }
})

type Mail = { text: string; html: string; links: string[] }
async function inbox(email: string): Promise<Mail[]> {
  const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(email)}`)
  const { data } = (await reply.json()) as { data: Mail[] } // as: the sandbox's answer
  return data
}

test('T-74 all links in the sent mails start with PUBLIC_URL', async () => {
  // Eight mails for each attack that is not refused.
  const answered = Object.values(attacks).filter(({ refused }) => !refused)
  expect(answered.length).toBeGreaterThanOrEqual(5)
  expect(sent).toHaveLength(answered.length * 8)
  for (const email of new Set(sent)) {
    const due = sent.filter(one => one === email).length
    await expect
      .poll(async () => (await inbox(email)).length, { timeout: 20_000 })
      .toBeGreaterThanOrEqual(due)
  }
  const mails = (await Promise.all([...new Set([...sent, moving.email])].map(inbox))).flat()
  expect(mails.length).toBeGreaterThanOrEqual(sent.length)
  for (const { text, html, links } of mails) {
    expect(`${text}${html}`).not.toMatch(/evil|:666/)
    const web = links.filter(link => !link.startsWith('mailto:'))
    expect(new Set(web.map(link => new URL(link).origin))).toEqual(new Set([config.publicUrl]))
  }
})
