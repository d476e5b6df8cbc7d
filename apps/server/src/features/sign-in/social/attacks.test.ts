import { CompiledQuery } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { freshEmail, makeTestApp } from '../../../../test/harness.ts'
import { loginErrorInUrl, openSocialBrowser, tokenInUrl } from '../../../../test/sign-in/social.ts'

const { app, call, people, services, config } = await makeTestApp()
const browser = () => openSocialBrowser(app)
const openId = ['google', 'microsoft', 'oidc']
const all = [...openId, 'github']
const run = (text: string, values: unknown[] = []) =>
  services.asSystem('test', tx =>
    tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)).then(({ rows }) => rows),
  )
const usersWith = (email: string) => run('select id from users where email = $1', [email])
const fresh = () => ({ email: freshEmail() })

describe('T-05 signing a victim in as the attacker', () => {
  test('a sign-in token is refused in another browser and without a cookie, and still works in its own', async () => {
    const [attacker, victim] = [browser(), browser()]
    const token = tokenInUrl(await attacker.completeAtProvider('google', fresh()))
    await victim.visit('/auth/social/google')
    for (const one of [victim, browser()]) {
      const answer = await one.redeem(token)
      expect([answer.status, answer.body.code]).toEqual([422, 'link_expired'])
    }
    expect((await attacker.redeem(token)).status).toBe(200)
    expect((await attacker.redeem(token)).status).toBe(422)
  })
})

describe.each(all)('T-56 the flow with %s', provider => {
  test('works once', async () => {
    const one = browser()
    const back = await one.consent(await one.visit(`/auth/social/${provider}`), fresh())
    expect((await one.visit(back)).pathname).toBe('/login/social')
    expect(loginErrorInUrl(await one.visit(back))).toBe('social_expired')
  })

  test('works only in the browser that started it', async () => {
    const [own, foreign] = [browser(), browser()]
    const back = await own.consent(await own.visit(`/auth/social/${provider}`), fresh())
    await foreign.visit(`/auth/social/${provider}`)
    expect(loginErrorInUrl(await foreign.visit(back))).toBe('social_expired')
    expect(loginErrorInUrl(await browser().visit(back))).toBe('social_expired')
    expect((await own.visit(back)).pathname).toBe('/login/social')
  })

  test.each(['wrong_state', 'missing_state'])('a response with %s is refused', async fault => {
    expect(loginErrorInUrl(await browser().completeAtProvider(provider, { ...fresh(), fault }))).toBe(
      'social_expired',
    )
  })

  test('a repeated, an empty and an unknown state are refused', async () => {
    const one = browser()
    const back = await one.consent(await one.visit(`/auth/social/${provider}`), fresh())
    const state = new URLSearchParams(back.split('?')[1]).get('state')
    const path = `/auth/social/${provider}/callback`
    for (const query of [
      `state=x&state=${state}`,
      `state=${state}&state=${state}`,
      'state=',
      'code=x',
      'state=x',
    ])
      expect(loginErrorInUrl(await one.visit(`${path}?code=x&${query}`))).toBe('social_expired')
    expect((await one.visit(back)).pathname).toBe('/login/social')
  })

  test('a code of another flow is refused: each flow has its own verifier', async () => {
    const [attacker, victim] = [browser(), browser()]
    const stolen = await attacker.consent(await attacker.visit(`/auth/social/${provider}`), fresh())
    const own = await victim.consent(await victim.visit(`/auth/social/${provider}`), fresh())
    const [theirs, injected] = [
      new URLSearchParams(stolen.split('?')[1]),
      new URLSearchParams(own.split('?')[1]),
    ]
    injected.set('code', theirs.get('code') ?? '')
    expect(loginErrorInUrl(await victim.visit(`/auth/social/${provider}/callback?${injected}`))).toBe(
      'social_failed',
    )
  })

  test('without PKCE the provider returns no code, so PKCE can’t be removed', async () => {
    const one = browser()
    const url = await one.visit(`/auth/social/${provider}`)
    url.searchParams.delete('code_challenge')
    expect(loginErrorInUrl(await one.visit(await one.consent(url, fresh())))).toBe('social_failed')
  })

  test('parameters of a visitor change nothing', async () => {
    const url = await browser().visit(
      `/auth/social/${provider}?redirect_uri=https://evil.example&scope=admin&state=x&client_id=y&prompt=none`,
    )
    expect(url.searchParams.get('redirect_uri')).toBe(`${config.publicUrl}/auth/social/${provider}/callback`)
    expect(url.searchParams.get('client_id')).toBe(`sandbox-${provider}`)
    expect(url.searchParams.getAll('state')).not.toContain('x')
    expect(url.searchParams.has('prompt')).toBe(false)
  })
})

test.each(all.flatMap(from => all.filter(to => to !== from).map(to => [from, to] as const)))(
  'T-56 an answer of %s is none of %s',
  async (from, to) => {
    const one = browser()
    const back = await one.consent(await one.visit(`/auth/social/${from}`), fresh())
    const state = new URLSearchParams(
      (await one.consent(await one.visit(`/auth/social/${to}`), fresh())).split('?')[1],
    ).get('state')
    // As it came, and with the state that the other provider's flow has.
    expect(loginErrorInUrl(await one.visit(back.replace(`/${from}/`, `/${to}/`)))).toBe('social_expired')
    const mixed = new URLSearchParams(back.split('?')[1])
    mixed.set('state', state ?? '')
    expect(loginErrorInUrl(await one.visit(`/auth/social/${to}/callback?${mixed}`))).toBe('social_failed')
  },
)

describe.each(openId)('T-56 V9 what %s signs', provider => {
  test.each([
    'wrong_response_iss',
    'missing_response_iss',
    'wrong_nonce',
    'missing_nonce',
    'wrong_aud',
    'other_client',
    'wrong_iss',
    'expired',
    'issued_in_future',
    'not_yet_valid',
    'wrong_azp',
    'several_audiences',
    'missing_sub',
    'alg_none',
    'hs256_public_key',
    'unknown_key',
    'jwk_header',
    'jku_header',
    'bad_signature',
    'missing_id_token',
  ])('%s: no sign-in', async fault => {
    const { email } = fresh()
    expect(loginErrorInUrl(await browser().completeAtProvider(provider, { email, fault }))).toBe(
      'social_failed',
    )
    expect(await usersWith(email)).toEqual([])
  })
})

test('T-05 a link on another site opens our sign-in page but starts no sign-in', async () => {
  const go = async (site: string) =>
    (await app.inject({ url: '/auth/social/google', headers: { 'sec-fetch-site': site } })).headers
  for (const site of ['cross-site', 'same-site']) {
    const headers = await go(site)
    expect([headers.location, headers['set-cookie']]).toEqual(['http://localhost:5000/login', undefined])
  }
  for (const site of ['same-origin', 'none']) expect((await go(site)).location).toContain('/authorize?')
})

test.each(['userinfo_other_sub', 'userinfo_500'])('T-56 oidc with %s: no sign-in', async fault => {
  expect(loginErrorInUrl(await browser().completeAtProvider('oidc', { ...fresh(), fault }))).toBe(
    'social_failed',
  )
})

test.each(['user_500', 'emails_500'])('T-56 GitHub with %s: no sign-in', async fault => {
  expect(loginErrorInUrl(await browser().completeAtProvider('github', { ...fresh(), fault }))).toBe(
    'social_failed',
  )
})

describe('T-57 a token of another client', () => {
  test.each(['sandbox-google', 'sandbox-other'])('of the provider, for %s: refused', async client => {
    const url = new URL(`${config.sandboxUrl}/identity/oidc/google/authorize`)
    const verifier = 'v'.repeat(43)
    const challenge = Buffer.from(
      await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)),
    ).toString('base64url')
    const redirect_uri = 'http://localhost:5000/evil'
    url.search = String(
      new URLSearchParams({
        client_id: client,
        redirect_uri,
        response_type: 'code',
        scope: 'openid email',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    )
    const one = browser()
    const code = new URLSearchParams((await one.consent(url, fresh())).split('?')[1]).get('code') ?? ''
    const reply = await fetch(`${config.sandboxUrl}/identity/oidc/google/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri,
        code_verifier: verifier,
        client_id: client,
        client_secret: `${client}-secret`,
      }),
    })
    const tokens = (await reply.json()) as { access_token: string; id_token: string } // as: the sandbox's answer
    await one.visit('/auth/social/google')
    expect(tokens.id_token).toMatch(/^ey/)
    for (const token of [tokens.access_token, tokens.id_token, code]) {
      const answer = await one.redeem(token)
      expect([answer.status, answer.data]).toEqual([422, undefined])
    }
  })

  test('state, session and cookie are not accepted as sign-in tokens, nor a sign-in token as a session', async () => {
    const one = browser()
    const leaving = await one.visit('/auth/social/google')
    const user = await people.verified()
    const cookie = one.cookies().split('=')[1] ?? ''
    for (const token of [leaving.searchParams.get('state') ?? '', user.token, cookie])
      expect((await one.redeem(token)).body.code).toBe('link_expired')
    const token = tokenInUrl(await one.completeAtProvider('google', fresh()))
    expect((await call('GET', '/api/auth', { token })).data).toEqual({ authenticated: false })
    expect((await call('POST', '/api/auth/otp', { body: { jwt: token, code: '123456' } })).status).not.toBe(
      200,
    )
  })
})

describe('T-58 an address that is not proven to be this person’s', () => {
  const openIdFaults = ['email_verified_false', 'email_verified_missing']
  const faults = [
    ...openId.flatMap(provider => openIdFaults.map(fault => ({ provider, fault }))),
    // As text it counts from the operator's own issuer alone.
    ...['google', 'microsoft'].map(provider => ({ provider, fault: 'email_verified_string' })),
    { provider: 'github', fault: 'primary_unverified' },
    { provider: 'github', fault: 'none_verified' },
  ]

  test.each(faults)('$provider with $fault: no user, no link, no session', async ({ provider, fault }) => {
    const user = await people.verified()
    for (const email of [user.email, freshEmail()]) {
      const { status, body } = await browser().signIn(provider, { email, fault })
      expect([status, body.code]).toEqual([422, 'social_email_unverified'])
      expect(await usersWith(email)).toEqual(email === user.email ? [{ id: user.id }] : [])
    }
    expect(await run('select 1 from identities where user_id = $1', [user.id])).toEqual([])
  })

  test.each([
    ...openId.map(provider => ({ provider, fault: 'email_missing' })),
    { provider: 'github', fault: 'no_emails' },
  ])('$provider with $fault: there is nothing to know the person by', async ({ provider, fault }) => {
    const { status, body } = await browser().signIn(provider, { ...fresh(), fault })
    expect([status, body.code]).toEqual([422, 'social_email_missing'])
  })

  test.each(all)(
    '%s: another identity with the address of a user is refused and does not open that user',
    async provider => {
      const { email } = fresh()
      const number = 800_000_000 + Math.floor(Math.random() * 1e8)
      const first = await browser().signIn(provider, { email, subject: String(number) })
      const second = await browser().signIn(provider, { email, subject: String(number + 1) })
      expect([second.status, second.body.code]).toEqual([409, 'social_connect_first'])
      const back = await browser().signIn(provider, { email: freshEmail(), subject: String(number) })
      expect(back.data.id).toBe(first.data.id)
    },
  )

  test('the same subject at two providers is two identities', async () => {
    const subject = String(900_000_000 + Math.floor(Math.random() * 1e8))
    const ids = await Promise.all(
      all.map(async provider => (await browser().signIn(provider, { ...fresh(), subject })).data.id),
    )
    expect(new Set(ids).size).toBe(all.length)
  })

  test.each([
    ['MARA@Northquay.Example', 'capitals'],
    ['mara@northquay.example ', 'a blank'],
  ])('%j is one address, however it is spelled: %s', async spelled => {
    const unique = `${Date.now()}-${Math.floor(Math.random() * 1e6)}`
    const user = await people.verified(`mara-${unique}@northquay.example`)
    const { data } = await browser().signIn('google', {
      email: spelled.replace(/^mara/i, match => `${match}-${unique}`),
      subject: unique,
    })
    expect(data.id).toBe(user.id)
  })

  test.each(['no address', 'a@b', 'a@b.co, c@d.co', 'm\u0430ra@northquay.example'])(
    '%j is not a valid address',
    async email => {
      const { body } = await browser().signIn('google', { email, subject: `x${Math.random()}` })
      expect(body.code).toBe('social_email_missing')
    },
  )
})

test('T-03 nothing secret of a flow is logged, also when it fails', async () => {
  const warn = vi.spyOn(services.log, 'warn')
  const secrets: string[] = []
  for (const fault of [
    'wrong_nonce',
    'bad_signature',
    'wrong_aud',
    'alg_none',
    'token_500',
    'missing_id_token',
  ]) {
    const one = browser()
    const back = await one.consent(await one.visit('/auth/social/google'), { ...fresh(), fault })
    await one.visit(back)
    const query = new URLSearchParams(back.split('?')[1])
    for (const secret of [query.get('state'), query.get('code'), one.cookies().split('=')[1]])
      if (secret) secrets.push(secret)
  }
  const errors = warn.mock.calls.map(([fields]) => Reflect.get(Object(fields), 'err'))
  expect(errors).toHaveLength(6)
  // What the log keeps of an error: log.ts.
  const kept = errors.map(({ name, message, stack, code, cause }) => [
    name,
    message,
    stack,
    code,
    cause?.message,
  ])
  expect(secrets).toHaveLength(18)
  expect(secrets.filter(secret => JSON.stringify(kept).includes(secret))).toEqual([])
  expect(JSON.stringify(kept)).not.toMatch(/eyJ/)
})
