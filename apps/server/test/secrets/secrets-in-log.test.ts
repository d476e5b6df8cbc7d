import { expect, test } from 'vitest'
import { apiKeyHelpers } from '../factories/api-keys.ts'
import { teamHelpers } from '../factories/team.ts'
import { usePlan } from '../factories/use-plan.ts'
import { freshEmail, makeTestApp, password } from '../harness.ts'
import { linkHelpers } from '../sign-in/magic-and-reset-links.ts'
import { passkeyHelpers } from '../sign-in/passkeys.ts'
import { openSocialBrowser, tokenInUrl } from '../sign-in/social.ts'
import { openSsoBrowser, ssoHelpers } from '../sign-in/sso.ts'
import { enableTwoFactor, totpCode } from '../sign-in/two-factor.ts'
import { openSecretTracker, trackProviderCalls, trackReplies } from './secret-tracker.ts'
import { makeTokenKinds } from './token-kinds.ts'

/**
 * T-03, T-82: real secrets of every kind, made, used, used twice, and brought where they don't belong, with a log that
 * leaves nothing out. What strangers make up is in secrets-in-process-log.test.ts, on a server as it runs.
 */
const lines: string[] = []
const made = await makeTestApp(
  { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'trace' },
  { write: line => lines.push(line) },
)
const { app, call, clock, people } = made
const { keep, foundIn, count } = openSecretTracker()
const replies = trackReplies(app, keep)
const { kinds, tokenEndpoints, presentToken, cookies, member } = await makeTokenKinds(made)
const sso = ssoHelpers(made)
/** A password that every carrier writes in its own way. */
const word = (name: string) => keep(`password ${name}`, `Ca-nary "${name}" 9 &?%+ö!`)

const valuesOf = (cookie: string) => cookie.split('; ').map(pair => pair.slice(pair.indexOf('=') + 1))
/** Secret parameters of a URL to or from a provider. */
const inAddress = (address: string) => {
  for (const [name, value] of new URL(address, 'http://localhost').searchParams)
    if (['state', 'nonce', 'code_challenge', 'code', 'token'].includes(name))
      keep(`${name} of a provider`, value)
}

test('no token of any kind is in the log, wherever it was brought', async () => {
  for (const [kind, held] of Object.entries(kinds)) {
    keep(kind, held.token)
    // In URLs of screens, calls and files, as a session token and as a cookie.
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
  // Once at the wrong endpoint, then twice at the right one, which accepts it once.
  for (const [at, { opens }] of Object.entries(tokenEndpoints)) {
    const knocked = []
    for (const kind of ['session', opens, opens]) {
      const answer = await presentToken(at, kinds[kind] ?? { token: '' })
      if (answer.data?.token) keep(`session by ${at}`, answer.data.token)
      knocked.push(answer.status)
    }
    expect(knocked[1], at).toBe(200)
  }
})

test('nor an API key that works, in whatever way it comes', async () => {
  const keys = apiKeyHelpers(made)
  const { full_key, key } = await keys.make(await usePlan(made.services, await people.owner(), 'startup'))
  keep('API key that works', full_key)
  expect(key).not.toBe(full_key)
  const pair = keep('API key as a user', Buffer.from(`${full_key}:`).toString('base64'))
  for (const header of [`Bearer ${full_key}`, `Basic ${full_key}`, `Basic ${pair}`])
    expect((await keys.sendEvent(header)).status).toBe(200)
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
  const inside = await call('POST', '/api/auth/otp', { body: { jwt: data.token, code: member.backup_code } })
  keep('session by a backup code', inside.data.token)
  const again = await enableTwoFactor(made, await people.owner())
  keep('secret', again.secret)
  keep('token of the set-up', again.token)
  await call('PUT', '/api/user/2fa', {
    token: again.token,
    body: { '2fa_enabled': false, code: 'proof-canary', password: 'password-canary-1' },
  })
  keep('proof', 'proof-canary')
  keep('proof by password', 'password-canary-1')
  const code = keep('code', totpCode(again.secret, clock.now(), 1))
  await call('POST', '/api/user/2fa/verify', { token: again.token, body: { code } })
})

test('no passkey challenge and no signature is in the log', async () => {
  const { own, passkey, user } = await passkeyHelpers(made).userWithPasskey()
  const begun = (await own.begin(user.token)).data
  keep('challenge to add', begun.challenge)
  keep('handle', begun.user.id)
  const asked = await own.beginSignIn()
  keep('challenge to sign in', asked.challenge)
  const shown = own.show(asked, passkey)
  keep('signature', shown.response.signature)
  keep('client data', shown.response.clientDataJSON)
  const opened = await own.finishSignIn(shown)
  keep('session by a passkey', opened.data.token)
  await own.finishSignIn(shown)
  const proof = '/api/user/passkeys/proof'
  const toProve = (await own.call('POST', `${proof}/options`, { token: user.token, body: {} })).data
  keep('challenge to prove', toProve.challenge)
  const proven = own.show(toProve, passkey)
  keep('signature that proves', proven.response.signature)
  expect((await own.call('POST', proof, { token: user.token, body: { credential: proven } })).status).toBe(
    200,
  )
  keep('cookie of the device', valuesOf(own.jar.cookie)[0])
})

test('nor what goes to providers and comes back', async () => {
  trackProviderCalls(keep)
  for (const provider of ['google', 'microsoft', 'github', 'oidc']) {
    const browser = openSocialBrowser(app)
    const there = await browser.visit(`/auth/social/${provider}`)
    inAddress(there.href)
    const back = await browser.consent(there, { email: freshEmail() })
    inAddress(back)
    const page = await browser.visit(back)
    inAddress(page.href)
    await app.inject({ url: back, headers: { cookie: browser.cookies() } })
    const entered = await browser.redeem(tokenInUrl(page))
    keep('session by a provider', entered.data.token)
    for (const value of valuesOf(browser.cookies())) keep('cookie of a browser', value)
  }
  const company = await sso.company()
  const one = openSsoBrowser(made)
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
  const { token } = await sso.post(posted)
  keep('hand-over', token)
  keep('session by single sign-on', (await sso.finish(one, token)).data.token)
  await sso.finish(one, token)
  expect((await sso.post(posted)).token).toBeNull()
  for (const value of valuesOf(one.cookies())) keep('cookie of the flow', value)
})

test('nor a password that is right, wherever one is typed; nor the key under which a call is made once', async () => {
  // Characters that a log could encode in three ways.
  const email = freshEmail()
  const [first, second, third] = [word('first'), word('second'), word('third')]
  const once = { 'idempotency-key': keep('Idempotency-Key', 'idempotency-canary-1') }
  const person = { first_name: 'Mara', last_name: 'Okafor', email, password: first }
  const ok = async (asked: ReturnType<typeof call>) => {
    const answer = await asked
    expect(answer).toMatchObject({ status: 200 })
    return answer.data
  }
  const signUp = () => call('POST', '/api/account', { body: person, headers: once })
  const begun = await ok(signUp())
  expect(await ok(signUp())).toEqual(begun)
  const link = keep('link of a sign-up', await people.linkToken(email))
  let { token } = await ok(call('POST', '/api/user/verify', { token: begun.token, body: { token: link } }))
  await ok(call('POST', '/api/auth', { body: { email, password: first } }))
  const change = { oldpassword: first, newpassword: second, confirm_password: second }
  ;({ token } = await ok(call('PUT', '/api/user/password', { token, body: change })))
  clock.add(11 * 60_000)
  const on = { '2fa_enabled': true, password: second }
  const { secret } = await ok(call('PUT', '/api/user/2fa', { token, body: on }))
  const code = () => {
    clock.add(30_000)
    return keep('code', totpCode(secret, clock.now()))
  }
  ;({ token } = await ok(call('POST', '/api/user/2fa/verify', { token, body: { code: code() } })))
  const { token: jwt } = await ok(call('POST', '/api/auth', { body: { email, password: second } }))
  await ok(call('POST', '/api/auth/otp', { body: { jwt, code: code() } }))
  clock.add(11 * 60_000)
  await ok(call('PUT', '/api/user/2fa', { token, body: { '2fa_enabled': false, code: code() } }))
  const given = await teamHelpers(made).created(await teamHelpers(made).ownerOn())
  const invited = { token: await people.linkToken(given.email), password: word('own') }
  const asGiven = await ok(
    call('POST', '/api/auth', { body: { email: given.email, password: 'given-password-1' } }),
  )
  await ok(call('POST', '/api/user/verify', { token: asGiven.token, body: invited }))
  const reset = keep('link of a reset', (await linkHelpers(made).link('reset', email)).token)
  await ok(call('POST', '/api/auth/password/reset', { body: { jwt: reset, password: third } }))
  await ok(call('POST', '/api/auth', { body: { email, password: third } }))
})

test('all of them were looked for, in a log that said everything [T-03] [T-82]', () => {
  const log = lines.join('')
  expect(lines.length).toBeGreaterThan(200)
  expect(count()).toBeGreaterThan(240)
  // They would be found: as they are, and as an address or a header writes them.
  const sought = word('first')
  const base = (encoding: 'base64' | 'base64url') => Buffer.from(sought).toString(encoding)
  const written = [
    sought,
    encodeURIComponent(sought),
    new URLSearchParams({ sought }),
    JSON.stringify(sought),
  ]
  for (const one of [...written, base('base64'), base('base64url')])
    expect(foundIn(`at ${one} once`), String(one)).toHaveLength(1)
  expect(log).toContain('saml answer refused')
  expect(foundIn(log)).toEqual([])
})

test('a secret is in the one address that it is for, and no page says where a browser came from [T-03]', () => {
  expect(replies.length).toBeGreaterThan(200)
  expect(new Set(replies.map(({ referrer }) => referrer))).toEqual(new Set(['no-referrer']))
  const places = new Map<string, string[]>()
  for (const { location } of replies) {
    if (!location) continue
    const { origin, pathname } = new URL(location, made.config.publicUrl)
    const place = `${origin === made.config.publicUrl ? '' : 'the provider’s '}${pathname.replace(/co-[\d-]+/, 'co')}`
    places.set(place, [...new Set([...(places.get(place) ?? []), ...foundIn(location)])].toSorted())
  }
  const asked = ['code_challenge of a provider', 'nonce of a provider', 'state of a provider']
  expect(Object.fromEntries([...places].filter(([, found]) => found.length))).toEqual({
    '/login/saml/callback': ['hand-over', 'saml'],
    '/login/social': ['social', 'token of a provider'],
    'the provider’s /identity/github/authorize': asked.filter(name => !name.startsWith('nonce')),
    'the provider’s /identity/oidc/google/authorize': asked,
    'the provider’s /identity/oidc/microsoft/authorize': asked,
    'the provider’s /identity/oidc/oidc/authorize': asked,
    'the provider’s /identity/saml/co/sso': ['RelayState that /auth/saml/acs took', 'relay state', 'request'],
  })
})
