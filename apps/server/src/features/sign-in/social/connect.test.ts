import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { type Consent, openSocialBrowser } from '../../../../test/sign-in/social.ts'

const { app, call, people, services, clock, config } = await makeTestApp()
const run = (text: string, values: unknown[] = []) =>
  services.asSystem('test', tx =>
    tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)).then(({ rows }) => rows),
  )

/** Asks to connect in this browser; answers where it goes. */
async function begin(browser: ReturnType<typeof openSocialBrowser>, token: string, body: object) {
  const answer = await call('POST', '/api/user/identities', {
    token,
    body,
    headers: browser.headers(),
  })
  browser.saveCookies(answer.headers)
  return answer
}

/** Connects in a browser of their own; answers where that ended. */
async function connect(token: string, consent: Consent, provider = 'google') {
  const browser = openSocialBrowser(app)
  const { data } = await begin(browser, token, { provider })
  return browser.visit(await browser.consent(new URL(data.url), consent))
}
const identitiesOf = async (token: string) => (await call('GET', '/api/user/identities', { token })).data
const subjects = async (email: string) =>
  (
    await run(
      'select a.action, a.target from audit_log a join users u on u.id = a.user_id where u.email = $1 order by a.created_at',
      [email],
    )
  ).filter(({ action }) => String(action).startsWith('identity.'))
async function subjectsMailed(email: string): Promise<string[]> {
  const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(email)}`)
  const { data } = (await reply.json()) as { data: { subject: string }[] } // as: the sandbox's answer
  return data.map(({ subject }) => subject)
}

describe('[call:POST /api/user/identities] [call:GET /api/user/identities]', () => {
  test('connects an identity with another address, which then signs in as the user [T-88]', async () => {
    const user = await people.owner()
    const email = freshEmail('private')
    const page = await connect(user.token, { email })
    expect(page.pathname + page.search).toBe('/account/profile?connected=google')
    expect(await identitiesOf(user.token)).toEqual([
      {
        id: expect.any(String),
        provider: 'google',
        name: 'Google',
        email,
        connected_at: expect.any(String),
        last_used_at: expect.any(String),
      },
    ])
    const signedIn = await openSocialBrowser(app).signIn('google', { email })
    expect(signedIn.data.id).toBe(user.id)
    expect(await subjects(user.email)).toEqual([{ action: 'identity.connected', target: 'google' }])
    await expect
      .poll(() => subjectsMailed(user.email), { timeout: 20_000 })
      .toContain('Google is connected to your Plinth sign-in')
  })

  test('an unverified address is enough to connect: the user is signed in', async () => {
    const user = await people.owner()
    const page = await connect(user.token, { email: freshEmail(), email_verified: false })
    expect(page.search).toBe('?connected=google')
  })

  test('an identity of another user stays theirs', async () => {
    const [mara, jonah] = [await people.owner(), await people.owner()]
    const email = freshEmail()
    await connect(mara.token, { email })
    expect((await connect(jonah.token, { email })).search).toBe('?error=identity_taken')
    expect(await identitiesOf(jonah.token)).toEqual([])
    expect((await openSocialBrowser(app).signIn('google', { email })).data.id).toBe(mara.id)
  })

  test('at most one identity of a provider, and only of known providers', async () => {
    const user = await people.owner()
    await connect(user.token, { email: freshEmail() })
    const again = await begin(openSocialBrowser(app), user.token, { provider: 'google' })
    expect([again.status, again.body.code]).toEqual([409, 'provider_connected'])
    for (const provider of ['nobody', 'constructor', '../google']) {
      const unknown = await begin(openSocialBrowser(app), user.token, { provider })
      expect([unknown.status, unknown.body.code]).toEqual([404, 'provider_unknown'])
    }
    expect((await begin(openSocialBrowser(app), user.token, {})).status).toBe(422)
    expect((await call('POST', '/api/user/identities', { body: { provider: 'github' } })).status).toBe(401)
  })

  test('of 50 flows at once one connects', async () => {
    const user = await people.owner()
    const one = openSocialBrowser(app)
    // It brings the browser's cookie; fifty at once would bring one each.
    await begin(one, user.token, { provider: 'google' })
    const backs = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const { data } = await begin(one, user.token, { provider: 'google' })
        return one.consent(new URL(data.url), { email: freshEmail() })
      }),
    )
    const pages = await Promise.all(backs.map(back => one.visit(back)))
    expect(pages.map(({ search }) => search).sort()).toEqual([
      '?connected=google',
      ...Array(49).fill('?error=provider_connected'),
    ])
  })

  test('a cancelled consent returns to the profile', async () => {
    const user = await people.owner()
    const page = await connect(user.token, { action: 'deny' })
    expect(page.pathname + page.search).toBe('/account/profile?error=social_denied')
  })

  test('T-56 a flow of another browser, or of a session that has ended, connects nothing', async () => {
    const user = await people.owner()
    const [own, foreign] = [openSocialBrowser(app), openSocialBrowser(app)]
    await foreign.visit('/auth/social/google')
    const { data } = await begin(own, user.token, { provider: 'google' })
    const back = await own.consent(new URL(data.url), { email: freshEmail() })
    expect((await foreign.visit(back)).href).toContain('/login?error=social_expired')
    await call('DELETE', '/api/auth', { token: user.token })
    expect((await own.visit(back)).href).toContain('/login?error=social_expired')
    expect(await run('select 1 from identities where user_id = $1', [user.id])).toEqual([])
  })

  test('T-05 a connecting flow signs in no visitor', async () => {
    const user = await people.owner()
    const page = await connect(user.token, { email: freshEmail() })
    expect(page.searchParams.has('token')).toBe(false)
  })
})

describe('[call:DELETE /api/user/identities/{id}]', () => {
  test('removes the sign-in method, with a mail and an audit entry [T-88]', async () => {
    const user = await people.owner()
    const email = freshEmail()
    await connect(user.token, { email })
    const [identity] = await identitiesOf(user.token)
    expect((await call('DELETE', `/api/user/identities/${identity.id}`, { token: user.token })).status).toBe(
      200,
    )
    expect(await identitiesOf(user.token)).toEqual([])
    expect((await openSocialBrowser(app).signIn('google', { email })).data.id).not.toBe(user.id)
    expect(await subjects(user.email)).toEqual([
      { action: 'identity.connected', target: 'google' },
      { action: 'identity.disconnected', target: 'google' },
    ])
    await expect
      .poll(() => subjectsMailed(user.email), { timeout: 20_000 })
      .toContain('Google is disconnected from your Plinth sign-in')
  })

  test('ends the sessions of the identity; the caller’s session stays [V7.4.3]', async () => {
    const user = await people.owner()
    const email = freshEmail()
    await connect(user.token, { email })
    const other = (await openSocialBrowser(app).signIn('google', { email })).data.token
    const [identity] = await identitiesOf(user.token)
    await call('DELETE', `/api/user/identities/${identity.id}`, { token: user.token })
    expect((await call('GET', '/api/auth', { token: other })).data).toEqual({ authenticated: false })
    expect((await call('GET', '/api/auth', { token: user.token })).data.authenticated).toBe(true)
  })

  test('stays disconnected at the next sign-in with the address, until it is connected again [T-38]', async () => {
    const user = await people.owner()
    const signIn = () => openSocialBrowser(app).signIn('google', { email: user.email })
    expect((await signIn()).data.id).toBe(user.id)
    const [identity] = await identitiesOf(user.token)
    await call('DELETE', `/api/user/identities/${identity.id}`, { token: user.token })
    for (let n = 0; n < 2; n++) {
      const refused = await signIn()
      expect([refused.status, refused.body.code]).toEqual([409, 'social_connect_first'])
    }
    expect(await identitiesOf(user.token)).toEqual([])
    // Another provider is another identity.
    expect((await openSocialBrowser(app).signIn('github', { email: user.email })).data.id).toBe(user.id)
    expect((await connect(user.token, { email: user.email })).search).toBe('?connected=google')
    expect((await signIn()).data.id).toBe(user.id)
    expect(await run('select 1 from disconnected_identities where user_id = $1', [user.id])).toEqual([])
  })

  test('a refused disconnection leaves no rows', async () => {
    const { data } = await openSocialBrowser(app).signIn('google', { email: freshEmail() })
    const [identity] = await identitiesOf(data.token)
    await call('DELETE', `/api/user/identities/${identity.id}`, { token: data.token })
    expect(await run('select 1 from disconnected_identities where user_id = $1', [data.id])).toEqual([])
  })

  test('a passkey counts as a sign-in method [V6.3]', async () => {
    const { data } = await openSocialBrowser(app).signIn('google', { email: freshEmail() })
    await run("insert into passkey_handles (user_id, handle) values ($1, decode(repeat('ab', 32), 'hex'))", [
      data.id,
    ])
    await run(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, synced, name, created_at)
       values (gen_random_uuid(), $1, 'id', 'key', 0, '', false, 'Phone', now())`,
      [data.id],
    )
    const [identity] = await identitiesOf(data.token)
    expect((await call('DELETE', `/api/user/identities/${identity.id}`, { token: data.token })).status).toBe(
      200,
    )
  })

  test('the last sign-in method stays, also in fifty parallel calls', async () => {
    const one = openSocialBrowser(app)
    const { data } = await one.signIn('google', { email: freshEmail() })
    const [google] = await identitiesOf(data.token)
    const refused = await call('DELETE', `/api/user/identities/${google.id}`, { token: data.token })
    expect([refused.status, refused.body.code]).toEqual([409, 'last_way_in'])
    await connect(data.token, { email: freshEmail() }, 'github')
    const both = await identitiesOf(data.token)
    expect(both).toHaveLength(2)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        call('DELETE', `/api/user/identities/${both[n % 2].id}`, { token: data.token }),
      ),
    )
    const outcomes = answers.map(({ status }) => status)
    expect(outcomes.filter(status => status === 200)).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set([200, 404, 409]))
    expect(await identitiesOf(data.token)).toHaveLength(1)
  })

  test('an identity of another user returns not found', async () => {
    const [mara, jonah] = [await people.owner(), await people.owner()]
    await connect(mara.token, { email: freshEmail() })
    const [identity] = await identitiesOf(mara.token)
    const answer = await call('DELETE', `/api/user/identities/${identity.id}`, { token: jonah.token })
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    expect(await identitiesOf(mara.token)).toHaveLength(1)
    const none = await call('DELETE', '/api/user/identities/none', { token: mara.token })
    expect([none.status, none.body.code]).toEqual([404, 'not_found'])
  })
})

test('both ask for proof when the sign-in is old', async () => {
  const user = await people.owner()
  await connect(user.token, { email: freshEmail() })
  const [identity] = await identitiesOf(user.token)
  clock.add(11 * 60_000)
  const path = `/api/user/identities/${identity.id}`
  const unproven = [
    await call('POST', '/api/user/identities', { token: user.token, body: { provider: 'github' } }),
    await call('DELETE', path, { token: user.token }),
  ]
  for (const { status, body } of unproven)
    expect([status, body.code, body.inputError]).toEqual([403, 'proof_required', 'password'])
  const wrong = await call('DELETE', path, { token: user.token, body: { password: 'wrong-password-1' } })
  expect([wrong.status, wrong.body.inputError]).toEqual([422, 'password'])
  expect((await call('DELETE', path, { token: user.token, body: { password } })).status).toBe(200)
})
