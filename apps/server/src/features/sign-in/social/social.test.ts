import { CompiledQuery } from 'kysely'
import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp, password } from '../../../../test/harness.ts'
import { loginErrorInUrl, openSocialBrowser, tokenInUrl } from '../../../../test/sign-in/social.ts'

const { app, call, people, services, clock, config } = await makeTestApp()
const browser = () => openSocialBrowser(app)
const run = (text: string, values: unknown[] = []) =>
  services.asSystem('test', tx =>
    tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)).then(({ rows }) => rows),
  )
const identitiesOf = (userId: string) =>
  run('select provider, issuer, subject, email from identities where user_id = $1', [userId])

/** The mail with this subject, waiting for it to arrive. */
async function mailAbout(email: string, subject: RegExp) {
  const find = async () => {
    const reply = await fetch(`${config.sandboxUrl}/sandbox/inbox?to=${encodeURIComponent(email)}`)
    const { data } = (await reply.json()) as { data: { subject: string; links: string[] }[] } // as: the sandbox's answer
    return data.find(mail => subject.test(mail.subject))
  }
  await expect.poll(find, { timeout: 20_000 }).toBeDefined()
  return find()
}

describe('GET /auth/social/:provider', () => {
  test.each(['google', 'microsoft', 'oidc', 'github'])(
    '%s: redirects to the provider with PKCE, state and the smallest scope [T-56]',
    async provider => {
      const url = await browser().visit(`/auth/social/${provider}`)
      expect(url.origin).toBe(config.sandboxUrl)
      const query = Object.fromEntries(url.searchParams)
      expect(query).toMatchObject({
        client_id: `sandbox-${provider}`,
        response_type: 'code',
        redirect_uri: `${config.publicUrl}/auth/social/${provider}/callback`,
        code_challenge_method: 'S256',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        state: expect.stringMatching(/^[\w-]{43}$/),
        scope: provider === 'github' ? 'user:email' : 'openid email profile',
      })
      expect(query.nonce ?? null).toEqual(provider === 'github' ? null : expect.stringMatching(/^[\w-]{43}$/))
    },
  )

  test('the reply is not cached, has the security headers of pages and an HttpOnly cookie', async () => {
    const { headers } = await app.inject({ method: 'GET', url: '/auth/social/google' })
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['set-cookie']).toMatch(/^flow=[\w-]{43}; .*HttpOnly; SameSite=Lax/i)
  })

  test('unknown providers and names of object properties redirect to the sign-in screen', async () => {
    for (const provider of ['nobody', 'constructor', '__proto__', '%00'])
      expect(loginErrorInUrl(await browser().visit(`/auth/social/${provider}`))).toBe('provider_unknown')
  })

  test('a HEAD request starts no flow', async () => {
    expect((await app.inject({ method: 'HEAD', url: '/auth/social/google' })).statusCode).toBe(404)
  })

  test('the settings list the available providers [call:GET /api/settings]', async () => {
    const { data } = await call('GET', '/api/settings')
    expect(data.social).toEqual([
      { id: 'google', name: 'Google' },
      { id: 'microsoft', name: 'Microsoft' },
      { id: 'github', name: 'GitHub' },
      { id: 'oidc', name: 'OpenID Connect' },
    ])
  })
})

describe.each(['google', 'microsoft', 'oidc', 'github'])('[call:POST /api/auth (token)] %s', provider => {
  test('a new person is verified, has an account of their own, and chooses a plan', async () => {
    const email = freshEmail(provider)
    const page = await browser().completeAtProvider(provider, { email, name: 'Ida Rhodes' })
    expect(page.pathname).toBe('/login/social')
    expect(page.searchParams.get('provider')).toBe(provider)
    const one = browser()
    const { status, data } = await one.signIn(provider, { email, name: 'Ida Rhodes' })
    expect(status).toBe(200)
    expect(data).toMatchObject({ name: 'Ida Rhodes', verified: true, plan: null, permission: 'owner' })
    expect(data.accounts).toMatchObject([{ id: data.account_id, name: 'Ida’s account', permission: 'owner' }])
    const profile = (await call('GET', '/api/user', { token: data.token })).data
    expect(profile).toMatchObject({ email, has_password: false })
    expect(await identitiesOf(data.id)).toMatchObject([{ provider, email }])
  })

  test('a known identity with another address signs in the same user', async () => {
    const subject = String(700_000_000 + Math.floor(Math.random() * 1e8))
    const first = await browser().signIn(provider, { email: freshEmail(), subject, name: 'Ida Rhodes' })
    const moved = freshEmail('moved')
    const again = await browser().signIn(provider, { email: moved, subject, name: 'Ida Rhodes' })
    expect(again.data.id).toBe(first.data.id)
    expect(await identitiesOf(first.data.id)).toMatchObject([{ subject, email: moved }])
    expect((await call('GET', '/api/user', { token: again.data.token })).data.email).not.toBe(moved)
  })

  test('with a verified address on both sides it signs in the user, with a mail and an audit entry [T-88]', async () => {
    const user = await people.owner()
    const { data } = await browser().signIn(provider, { email: user.email })
    expect(data).toMatchObject({ id: user.id, account_id: user.account_id, plan: 'free' })
    const mail = await mailAbout(user.email, / is connected to your Plinth sign-in$/)
    expect(mail?.links).toEqual([`${config.publicUrl}/account/profile`])
    expect(
      await run('select action, target from audit_log where account_id = $1', [user.account_id]),
    ).toContainEqual({
      action: 'identity.connected',
      target: provider,
    })
    expect((await call('POST', '/api/auth', { body: { email: user.email, password } })).status).toBe(200)
  })

  test('a cancelled consent returns to the sign-in screen, which names the provider', async () => {
    const page = await browser().completeAtProvider(provider, { action: 'deny' })
    expect(page.pathname + page.search).toBe(`/login?error=social_denied&provider=${provider}`)
  })

  test('a failing provider returns to the sign-in screen', async () => {
    const page = await browser().completeAtProvider(provider, { email: freshEmail(), fault: 'token_500' })
    expect(loginErrorInUrl(page)).toBe('social_failed')
  })
})

describe('names', () => {
  test.each([
    ['', 'The part of the address before the at', /^person-/],
    ['Ida', 'one word', /^Ida$/],
    ['Ida\u202e\u0000 <b>Rhodes</b>', 'what does not belong in a name', /^Ida <b>Rhodes<\/b>$/],
    [`${'x'.repeat(400)} ${'y'.repeat(400)}`, 'far too long', /^x{50} y{50}$/],
  ])('%j: %s', async (name, _, expected) => {
    const { data } = await browser().signIn('google', { email: freshEmail(), name })
    expect(data.name).toMatch(expected)
  })
})

describe('the second factor', () => {
  async function withSecondFactor(user: { id: string }) {
    await run('insert into two_factors (user_id, sealed_secret, enabled_at) values ($1, $2, now())', [
      user.id,
      'sealed',
    ])
  }

  test('T-17 a known identity answers 2fa_required and no session', async () => {
    const email = freshEmail()
    const first = await browser().signIn('google', { email })
    await withSecondFactor(first.data)
    const { status, data } = await browser().signIn('google', { email })
    expect(status).toBe(200)
    expect(data).toEqual({ token: expect.any(String), '2fa_required': true })
    expect((await call('GET', '/api/auth', { token: data.token })).data).toEqual({ authenticated: false })
  })

  test('T-17 an unknown identity is not linked past it', async () => {
    const user = await people.verified()
    await withSecondFactor(user)
    const { status, body } = await browser().signIn('google', { email: user.email })
    expect([status, body.code]).toEqual([409, 'social_connect_first'])
    expect(await identitiesOf(user.id)).toEqual([])
    expect(await run('select 1 from challenges where user_id = $1', [user.id])).toEqual([])
  })
})

describe('T-38 an unverified user of the address', () => {
  test('is replaced by the person whom the provider verified: password, session and account are removed', async () => {
    const attacker = await people.signUp()
    const { data } = await browser().signIn('google', { email: attacker.email, name: 'Ida Rhodes' })
    expect(data.id).not.toBe(attacker.id)
    expect(data.verified).toBe(true)
    expect(data.accounts).toHaveLength(1)
    expect((await call('GET', '/api/auth', { token: attacker.token })).data).toEqual({ authenticated: false })
    const wrong = await call('POST', '/api/auth', { body: { email: attacker.email, password } })
    expect(wrong.body.code).toBe('credentials_wrong')
    expect(await run('select id from users where email = $1', [attacker.email])).toEqual([{ id: data.id }])
    expect(await run('select 1 from accounts where id = $1', [attacker.account_id])).toEqual([])
  })

  test('can’t connect an identity before', async () => {
    const attacker = await people.signUp()
    const answer = await call('POST', '/api/user/identities', {
      token: attacker.token,
      body: { provider: 'google' },
    })
    expect([answer.status, answer.body.code]).toEqual([403, 'verification_required'])
  })
})

test('a background request of a page does not use the flow, also when its reply is late', async () => {
  const one = browser()
  const back = await one.consent(await one.visit('/auth/social/google'), { email: freshEmail() })
  one.saveCookies((await call('POST', '/api/auth/passkey/options', { body: {} })).headers)
  expect(one.cookies()).toMatch(/flow=.*browser=/)
  expect((await one.redeem(tokenInUrl(await one.visit(back)))).status).toBe(200)
})

test('a sign-in token is valid for two minutes, a flow for ten [T-05]', async () => {
  const one = browser()
  const token = tokenInUrl(await one.completeAtProvider('google', { email: freshEmail() }))
  const leaving = await one.visit('/auth/social/google')
  clock.add(121_000)
  const late = await one.redeem(token)
  expect([late.status, late.body.code]).toEqual([422, 'link_expired'])
  clock.add(480_000)
  const back = await one.consent(leaving, { email: freshEmail() })
  expect(loginErrorInUrl(await one.visit(back))).toBe('social_expired')
})

test('[call:POST /api/auth] the body has one of two shapes, and a refusal names the wrong field', async () => {
  const answers = await Promise.all(
    [
      {},
      { email: 'a@b.co' },
      { password: 'x' },
      { token: 't', email: 'a@b.co' },
      { token: '' },
      { token: 7 },
    ].map(async body => {
      const { status, body: told } = await call('POST', '/api/auth', { body })
      return [status, told.inputError]
    }),
  )
  expect(answers).toEqual([
    [422, 'email'],
    [422, 'password'],
    [422, 'email'],
    [422, 'token'],
    [422, 'token'],
    [422, 'token'],
  ])
})
