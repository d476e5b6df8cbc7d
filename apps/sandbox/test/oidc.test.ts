import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { bodyOf, sandboxForFile } from './support/sandbox.ts'
import { consent, redirectUri, relyingParty, signIn, startSignIn } from './support/sign-in.ts'

const sandbox = await sandboxForFile()

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(sandbox.origin + path, { method: 'POST', headers, body: new URLSearchParams(fields) })

test.each(['google', 'microsoft', 'oidc'])('%s: a sign-in from discovery to userinfo', async name => {
  const config = await relyingParty(sandbox, name)
  const tokens = await signIn(config, { person: 'zoe' })
  const claims = tokens.claims()
  expect(claims).toMatchObject({
    iss: `${sandbox.origin}/identity/oidc/${name}`,
    aud: `sandbox-${name}`,
    sub: '10004',
    email: 'zoe@northquay.example',
    email_verified: true,
    name: 'Zoë Ångström',
  })
  expect(await oidc.fetchUserInfo(config, tokens.access_token, '10004')).toMatchObject({
    email: 'zoe@northquay.example',
    given_name: 'Zoë',
  })
})

test('the form signs in a person with entered data', async () => {
  const config = await relyingParty(sandbox)
  const { url, checks } = await startSignIn(config)
  const answer = await post(
    url.pathname + url.search,
    {},
    { origin: sandbox.origin, 'content-type': 'application/x-www-form-urlencoded' },
  )
  expect(answer.status).toBe(400)
  const fields = new URLSearchParams([
    ['email', 'Ida@Example.test'],
    ['name', 'Ida Rhodes'],
    ['subject', ''],
    ['email_verified', 'false'],
    ['email_verified', 'true'],
  ])
  const sent = await fetch(url, { method: 'POST', redirect: 'manual', body: fields })
  const back = new URL(sent.headers.get('location') ?? '')
  const claims = (await oidc.authorizationCodeGrant(config, back, checks)).claims()
  expect(claims).toMatchObject({ email: 'Ida@Example.test', email_verified: true, family_name: 'Rhodes' })
  // The same address keeps its subject, and email_verified can be false.
  const again = (await signIn(config, { email: 'ida@example.test', email_verified: false })).claims()
  expect(again).toMatchObject({ sub: claims?.sub, email_verified: false })
})

test('the person denies', async () => {
  const config = await relyingParty(sandbox)
  const { url, checks } = await startSignIn(config)
  const back = await consent(url, { action: 'deny' })
  await expect(oidc.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
    error: 'access_denied',
  })
})

test('the page lists the people, has a security policy and refuses other origins', async () => {
  const config = await relyingParty(sandbox)
  const { url } = await startSignIn(config)
  const page = await fetch(url)
  const html = await page.text()
  expect(html).toContain('Mara Okafor')
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://localhost:*")
  const foreign = await fetch(url, { method: 'POST', headers: { origin: 'http://evil.example' } })
  expect(foreign.status).toBe(403)
})

describe('invalid requests', () => {
  const ask = async (change: Record<string, string | null>) => {
    const { url } = await startSignIn(await relyingParty(sandbox))
    for (const [name, value] of Object.entries(change))
      if (value === null) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    return fetch(url, { redirect: 'manual' })
  }

  test.each([
    ['a strange client', { client_id: 'sandbox-github' }],
    ['a redirect that leaves this machine', { redirect_uri: 'https://evil.example/x' }],
    ['a redirect with user info', { redirect_uri: 'http://localhost@evil.example/x' }],
    ['a redirect with a fragment', { redirect_uri: `${redirectUri}#x` }],
    ['no redirect', { redirect_uri: null }],
  ])('%s is shown on the page without a redirect', async (_, change) => {
    const answer = await ask(change)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: null }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: null }, 'invalid_request'],
    [{ scope: 'email' }, 'invalid_scope'],
  ])('%o goes back as %s', async (change, error) => {
    const answer = await ask(change)
    const back = new URL(answer.headers.get('location') ?? '')
    expect(back.searchParams.get('error')).toBe(error)
    expect(back.searchParams.get('iss')).toBe(`${sandbox.origin}/identity/oidc/google`)
    expect(back.searchParams.get('state')).toBeTruthy()
  })
})

describe('the token endpoint', () => {
  const spend = async (change: Record<string, string> = {}, path = '/identity/oidc/google/token') => {
    const { url, checks } = await startSignIn(await relyingParty(sandbox))
    const code = (await consent(url, { person: 'lena' })).searchParams.get('code') ?? ''
    const fields = {
      grant_type: 'authorization_code',
      client_id: 'sandbox-google',
      client_secret: 'sandbox-google-secret',
      redirect_uri: redirectUri,
      code_verifier: checks.pkceCodeVerifier,
      code,
      ...change,
    }
    return { fields, answer: await post(path, fields) }
  }

  test('refuses a wrong secret', async () => {
    expect((await spend({ client_secret: 'wrong' })).answer.status).toBe(401)
  })

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect', { redirect_uri: `${redirectUri}/` }],
    ['another client', { client_id: 'sandbox-other', client_secret: 'sandbox-other-secret' }],
  ])('refuses %s', async (_, change) => {
    const { answer } = await spend(change)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('refuses a code of another issuer', async () => {
    const other = { client_id: 'sandbox-other', client_secret: 'sandbox-other-secret' }
    const { answer } = await spend(other, '/identity/oidc/microsoft/token')
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('accepts a code once; a second use revokes the first token', async () => {
    const { fields, answer } = await spend()
    const { access_token } = await bodyOf<{ access_token: string }>(answer)
    const bearer = { headers: { authorization: `Bearer ${access_token}` } }
    const userinfo = () => fetch(`${sandbox.origin}/identity/oidc/google/userinfo`, bearer)
    expect((await userinfo()).status).toBe(200)
    expect((await post('/identity/oidc/google/token', fields)).status).toBe(400)
    expect((await userinfo()).status).toBe(401)
    expect((await fetch(`${sandbox.origin}/identity/oidc/microsoft/userinfo`, bearer)).status).toBe(401)
  })

  test('refuses a code older than a minute', async () => {
    const { url, checks } = await startSignIn(await relyingParty(sandbox))
    const back = await consent(url, { person: 'lena' })
    await sandbox.post('/sandbox/clock', { seconds: 60 })
    const late = oidc.authorizationCodeGrant(await relyingParty(sandbox), back, checks)
    await expect(late).rejects.toMatchObject({ error: 'invalid_grant' })
    // The advanced clock does not affect the next code.
    expect((await signIn(await relyingParty(sandbox), { person: 'lena' })).claims()?.sub).toBe('10003')
  })
})
