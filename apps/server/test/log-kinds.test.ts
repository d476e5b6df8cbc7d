import { expect, test } from 'vitest'
import { makeTestApp, password } from './harness.ts'
import { passkeysOf } from './passkeys.ts'
import { codeOf, withSecondFactor } from './second-factor.ts'
import { openBrowser } from './social.ts'
import { makeBrowser, ssoOf } from './sso.ts'
import { makeKinds } from './token-kinds.ts'

/**
 * T-03, T-82: real secrets of every kind, made, used, used twice, and brought where they don't belong, with a log that
 * leaves nothing out. What strangers make up is in log-secrets.test.ts, on a server as it runs.
 */
const lines: string[] = []
const made = await makeTestApp(
  { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'trace' },
  { write: line => lines.push(line) },
)
const { app, call, clock, people } = made
const { kinds, doors, knock, cookies, member } = await makeKinds(made)
const sso = ssoOf(made)

const secrets = new Map<string, string>()
const keep = (name: string, secret: unknown) => {
  if (typeof secret !== 'string' || secret.length < 6) throw new Error(`${name} is no secret: ${secret}`)
  secrets.set(name, secret)
}
const valuesOf = (cookie: string) => cookie.split('; ').map(pair => pair.slice(pair.indexOf('=') + 1))
/** Every value in an address, as the sender or the receiver of it may log it. */
const inAddress = (name: string, address: string) => {
  for (const [key, value] of new URL(address, 'http://localhost').searchParams)
    if (value.length > 12) keep(`${name} ${key}`, value)
}

test('no token of any kind is in the log, wherever it was brought', async () => {
  for (const [kind, held] of Object.entries(kinds)) {
    keep(kind, held.token)
    // In addresses, of screens, calls and files; as a session; and as somebody's cookie.
    for (const path of ['/magic', '/api/auth', '/auth/saml', '/auth/social/google', '/assets/x.js'])
      await app.inject({
        url: `${path}?token=${held.token}&id=${held.token}`,
        headers: { accept: 'text/html' },
      })
    await app.inject({ url: `/api/nothing/${held.token}` })
    await app.inject({
      url: `/${held.token}`,
      headers: { accept: 'text/html', referer: `http://x/?token=${held.token}` },
    })
    await call('GET', '/api/user', { token: held.token })
    await call('GET', '/api/auth', { headers: { cookie: `browser=${held.token}; flow=${held.token}` } })
  }
  for (const value of valuesOf(cookies())) keep('cookie', value)
  // Once at the wrong door, then twice at its own.
  for (const [at, { opens }] of Object.entries(doors))
    for (const kind of ['session', opens, opens]) {
      const answer = await knock(at, kinds[kind] ?? { token: '' })
      if (answer.data?.token) keep(`session by ${at}`, answer.data.token)
    }
})

test('nor is what the second factor is made of', async () => {
  const { data } = await call('POST', '/api/auth', { body: { email: member.email, password } })
  keep('challenge', data.token)
  keep('secret', member.secret)
  keep('backup code', member.backup_code)
  // Codes that no number in the log can be taken for: whatever is typed may be anything.
  for (const code of ['otp-canary', `${member.backup_code}x`])
    await call('POST', '/api/auth/otp', { body: { jwt: data.token, code } })
  keep('typed', 'otp-canary')
  await call('POST', '/api/auth/otp', { body: { jwt: data.token, code: member.backup_code } })
  const again = await withSecondFactor(made, await people.owner())
  keep('secret', again.secret)
  keep('token of the set-up', again.token)
  await call('PUT', '/api/user/2fa', {
    token: again.token,
    body: { '2fa_enabled': false, code: 'proof-canary', password: 'password-canary-1' },
  })
  keep('proof', 'proof-canary')
  keep('proof by password', 'password-canary-1')
  const code = codeOf(again.secret, clock.now(), 1)
  await call('POST', '/api/user/2fa/verify', { token: again.token, body: { code } })
  expect(lines.join('')).not.toContain(`"${code}"`)
})

test('nor what a passkey is asked and shows', async () => {
  const { own, passkey, user } = await passkeysOf(made).keeper()
  const begun = (await own.begin(user.token)).data
  keep('challenge to add', begun.challenge)
  keep('handle', begun.user.id)
  const asked = await own.beginSignIn()
  keep('challenge to sign in', asked.challenge)
  const shown = own.show(asked, passkey)
  keep('signature', shown.response.signature)
  keep('client data', shown.response.clientDataJSON)
  for (let n = 0; n < 2; n++) await own.finishSignIn(shown)
  keep('cookie of the device', valuesOf(own.jar.cookie)[0])
})

test('nor what goes to providers and comes back', async () => {
  const browser = openBrowser(app)
  const there = await browser.visit('/auth/social/google')
  inAddress('to the provider', there.href)
  const back = await browser.consent(there, { email: (await people.owner()).email })
  inAddress('from the provider', back)
  inAddress('to the page', (await browser.visit(back)).href)
  await app.inject({ url: back, headers: { cookie: browser.cookies() } })
  const company = await sso.company()
  const one = makeBrowser(made)
  const { location } = await sso.start(one, company)
  const relay = new URL(location).searchParams.get('RelayState')
  keep('relay state', relay)
  keep('request', new URL(location).searchParams.get('SAMLRequest'))
  const posted = await sso.answer(location, { email: sso.address(company) })
  keep('response', posted.saml_response)
  keep('response as text', posted.xml.slice(0, 200))
  for (const id of posted.assertion_ids) keep('assertion', id)
  // Broken, under another state, genuine, and once more.
  await sso.post({ ...posted, saml_response: `${posted.saml_response.slice(0, -40)}${'A'.repeat(40)}` })
  await sso.post({ ...posted, relay_state: 'relay-canary-0123456789' })
  keep('relay state of nobody', 'relay-canary-0123456789')
  for (let n = 0; n < 2; n++) {
    const { token } = await sso.post(posted)
    if (token) keep('hand-over', token)
    for (let m = 0; m < 2; m++) {
      const { data } = await sso.finish(one, token)
      if (data?.token) keep('session by single sign-on', data.token)
    }
  }
  for (const value of valuesOf(one.cookie())) keep('cookie of the flow', value)
})

test('all of them were looked for, in a log that said everything [T-03] [T-82]', () => {
  const log = lines.join('')
  expect(lines.length).toBeGreaterThan(200)
  expect(secrets.size).toBeGreaterThan(40)
  expect(log).toContain('saml answer refused')
  const found = [...secrets].filter(
    ([, secret]) => log.includes(secret) || log.includes(encodeURIComponent(secret)),
  )
  expect(found.map(([name]) => name)).toEqual([])
})
