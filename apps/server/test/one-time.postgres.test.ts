import { afterAll, expect, test } from 'vitest'
import { makeLink } from '../src/features/impersonation/service.ts'
import { freshEmail, makeTestApp, password } from './harness.ts'
import { linkHelpers } from './links.ts'
import { onBoth } from './on-both.ts'
import { passkeysOf } from './passkeys.ts'
import { startServer } from './process.ts'
import { openBrowser, tokenOf } from './social.ts'

// The suite's own app is one server, a process beside it the other; both on one PostgreSQL.
const server = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const { app, call, config, databaseUrl, db, people, world } = server
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

/** Half of fifty on each server at the same time; how often each code of an answer came. */
const fifty = (shown: Parameters<typeof onBoth>[3]) => onBoth(call, other.url, 50, shown)

test('[T-05] [T-56] the hand-over of a social sign-in', async () => {
  const browser = openBrowser(app)
  const token = tokenOf(await browser.through('google', { email: freshEmail() }))
  const shown = { path: '/api/auth', body: { token }, headers: { cookie: browser.cookies() } }
  expect(await fifty(shown)).toEqual({ in: 1, link_expired: 49 })
})

test('[T-13] a passkey’s signature', async () => {
  const { own, passkey } = await passkeysOf(server).keeper()
  const credential = own.show(await own.beginSignIn(), passkey)
  const shown = { path: '/api/auth/passkey', body: { credential }, headers: { cookie: own.jar.cookie } }
  expect(await fifty(shown)).toEqual({ in: 1, passkey_expired: 49 })
})

test('[T-41] a support link', async () => {
  const [master, user] = [await people.owner(freshEmail('master')), await people.owner(freshEmail('helped'))]
  await db.asOwnerOfJobs('insert into masters (user_id) values ($1)', [master.id])
  await db.asOwnerOfJobs(
    "insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, 'x', now())",
    [master.id],
  )
  await db.asOwnerOfJobs('update sessions set second_factor = true where user_id = $1', [master.id])
  await call('PATCH', '/api/user', { token: user.token, body: { support_enabled: true } })
  const { url } = await makeLink(world, { master: master.email, user: user.email })
  const body = { token: tokenOf(new URL(url)) }
  const shown = { path: '/api/auth/impersonate', body, headers: { authorization: `Bearer ${master.token}` } }
  expect(await fifty(shown)).toEqual({ in: 1, link_expired: 49 })
})

test('[T-13] [T-88] the link that ends a sign-in on a new device', async () => {
  const user = await people.owner()
  const seen = await people.mailTo(user.email)
  const headers = { 'x-forwarded-for': '198.51.100.1' }
  await call('POST', '/api/auth', { body: { email: user.email, password }, headers })
  const { links: mailed } = await people.mailTo(user.email, seen.id)
  const link = mailed.find(at => at.includes('/signin/end?token=')) ?? expect.fail('no link')
  const shown = { path: '/api/auth/session/end', body: { token: tokenOf(new URL(link)) } }
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
