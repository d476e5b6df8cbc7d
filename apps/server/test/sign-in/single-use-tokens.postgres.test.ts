import { afterAll, expect, test } from 'vitest'
import { createSupportLink } from '../../src/features/impersonation/service.ts'
import { makeMaster } from '../factories/masters.ts'
import { callBothServers } from '../harness/call-both-servers.ts'
import { startServer } from '../harness/server-process.ts'
import { freshEmail, makeTestApp, password } from '../harness.ts'
import { emailChangeHelpers } from './email-change.ts'
import { linkHelpers } from './magic-and-reset-links.ts'
import { passkeyHelpers } from './passkeys.ts'
import { openSocialBrowser, tokenInUrl } from './social.ts'
import { openSsoBrowser, ssoHelpers } from './sso.ts'

// The suite's own app is one server, a process beside it the other; both on one PostgreSQL.
const server = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const { app, call, config, databaseUrl, db, people, services } = server
const other = await startServer({
  DATABASE_URL: databaseUrl ?? '',
  PUBLIC_URL: config.publicUrl,
  TRUST_PROXY: '127.0.0.1',
  APP_SECRET: 'a secret for tests, long enough to be taken',
  DATA_DIR: config.dataDir,
  ROLE: 'web',
})
afterAll(() => other.stop())
const links = linkHelpers(server)
const moving = emailChangeHelpers(server)
const passkeys = passkeyHelpers(server)
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Half of fifty on each server at the same time; how often each code of an answer came. */
const fifty = (shown: Parameters<typeof callBothServers>[3]) => callBothServers(call, other.url, 50, shown)

/**
 * Fifty that take the place of the session they come in: who is late has lost the race for the link or the password,
 * or their session already.
 */
async function expectOne(shown: Parameters<typeof callBothServers>[3], lost: string) {
  const { session_required = 0, [lost]: late = 0, ...others } = await fifty(shown)
  expect({ ...others, late: late + session_required }).toEqual({ in: 1, late: 49 })
}

test('[T-05] [T-56] the hand-over of a social sign-in', async () => {
  const browser = openSocialBrowser(app)
  const token = tokenInUrl(await browser.completeAtProvider('google', { email: freshEmail() }))
  const shown = { path: '/api/auth', body: { token }, headers: { cookie: browser.cookies() } }
  expect(await fifty(shown)).toEqual({ in: 1, link_expired: 49 })
})

test('[T-56] the callback of a social sign-in', async () => {
  const browser = openSocialBrowser(app)
  const path = await browser.consent(await browser.visit('/auth/social/google'), { email: freshEmail() })
  const shown = { method: 'GET', path, headers: { cookie: browser.cookies() } } as const
  expect(await fifty(shown)).toEqual({ in: 1, social_expired: 49 })
})

test('[T-05] [T-51] the hand-over of a single sign-on', async () => {
  const sso = ssoHelpers(server)
  const company = await sso.company()
  const browser = openSsoBrowser(server)
  const { location } = await sso.start(browser, company)
  const { token } = await sso.post(await sso.answer(location, { email: sso.address(company) }))
  const shown = { path: '/auth/saml/callback', body: { token }, headers: browser.headers() }
  expect(await fifty(shown)).toEqual({ in: 1, sso_failed: 49 })
})

test('[T-13] a passkey’s signature', async () => {
  const { own, passkey } = await passkeys.userWithPasskey()
  const credential = own.show(await own.beginSignIn(), passkey)
  const shown = { path: '/api/auth/passkey', body: { credential }, headers: { cookie: own.jar.cookie } }
  expect(await fifty(shown)).toEqual({ in: 1, passkey_expired: 49 })
})

test('[T-13] [T-18] a passkey’s signature as a proof', async () => {
  const { user, own, passkey } = await passkeys.userWithPasskey()
  const path = '/api/user/passkeys/proof'
  const { data } = await own.call('POST', `${path}/options`, { token: user.token, body: {} })
  const body = { credential: own.show(data, passkey) }
  const headers = { ...bearer(user.token), cookie: own.jar.cookie }
  expect(await fifty({ path, body, headers })).toEqual({ in: 1, passkey_expired: 49 })
})

test('[T-13] a new passkey', async () => {
  const { user, own } = await passkeys.userWithPasskey()
  const { credential } = own.make((await own.begin(user.token)).data)
  const headers = { ...bearer(user.token), cookie: own.jar.cookie }
  expect(await fifty({ path: '/api/user/passkeys', body: { credential }, headers })).toEqual({
    in: 1,
    passkey_expired: 49,
  })
  expect(await passkeys.listOf(user.token)).toHaveLength(2)
})

test('[T-41] a support link', async () => {
  const [master, user] = [await people.owner(freshEmail('master')), await people.owner(freshEmail('helped'))]
  await makeMaster(db, master)
  await call('PATCH', '/api/user', { token: user.token, body: { support_enabled: true } })
  const { url } = await createSupportLink(services, { master: master.email, user: user.email })
  const body = { token: tokenInUrl(new URL(url)) }
  const shown = { path: '/api/auth/impersonate', body, headers: bearer(master.token) }
  expect(await fifty(shown)).toEqual({ in: 1, link_expired: 49 })
})

test('[T-13] [T-88] the link that ends a sign-in on a new device', async () => {
  const user = await people.owner()
  const seen = await people.mailTo(user.email)
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  await call('POST', '/api/auth', { body: { email: user.email, password }, headers })
  const { links: mailed } = await people.mailTo(user.email, seen.id)
  const link = mailed.find(at => at.includes('/signin/end?token=')) ?? expect.fail('no link')
  const shown = { path: '/api/auth/session/end', body: { token: tokenInUrl(new URL(link)) } }
  expect(await fifty(shown)).toEqual({ in: 1, link_expired: 49 })
})

test.each([
  ['magic', '/api/auth/magic/verify', (token: string) => ({ token })],
  ['reset', '/api/auth/password/reset', (jwt: string) => ({ jwt, password: 'quite-another-word-7' })],
] as const)('[T-13] a %s link', async (purpose, path, bodyOf) => {
  const user = await people.owner()
  const { token } = await links.link(purpose, user.email)
  expect(await fifty({ path, body: bodyOf(token) })).toEqual({ in: 1, link_expired: 49 })
})

test('[T-36] [T-37] an invitation', async () => {
  const owner = await people.owner()
  const email = freshEmail('invited')
  await call('POST', '/api/invite', { token: owner.token, body: { email, permission: 'user' } })
  const invite_id = await people.inviteSecret(email)
  const body = { first_name: 'Mara', last_name: 'Okafor', email, password, invite_id }
  expect(await fifty({ path: '/api/user', body })).toEqual({ in: 1, invite_expired: 49 })
})

test('[T-13] the link that proves an address', async () => {
  const user = await people.signUp()
  const body = { token: await people.linkToken(user.email) }
  await expectOne({ path: '/api/user/verify', body, headers: bearer(user.token) }, 'link_expired')
})

test('[T-13] [T-24] the link that confirms a new address', async () => {
  const user = await people.owner()
  const email = freshEmail('new')
  await moving.ask(user.token, email)
  const body = { token: await moving.confirmation(email) }
  await expectOne({ path: '/api/user/verify', body, headers: bearer(user.token) }, 'link_expired')
  expect(await moving.rowOf(user.id)).toEqual({ email, verified: true })
})

test('[T-13] [T-24] the link that undoes it', async () => {
  const { id, old, undo_secret: token } = await moving.changed()
  expect(await fifty({ path: '/api/auth/email/undo', body: { token } })).toEqual({ in: 1, link_expired: 49 })
  expect(await moving.rowOf(id)).toEqual({ email: old, verified: true })
})

test('[T-19] the password that a new one takes the place of', async () => {
  const user = await people.owner()
  const shown = (n: number) => ({
    method: 'PUT' as const,
    path: '/api/user/password',
    body: { oldpassword: password, newpassword: `lantern-of-${n}-stones!` },
    headers: bearer(user.token),
  })
  await expectOne(shown, 'password_wrong')
})
