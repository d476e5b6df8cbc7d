import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { bodyOf, sandboxForFile } from './support/sandbox.ts'
import { consent, redirectUri } from './support/sign-in.ts'

const sandbox = await sandboxForFile()

interface Address {
  email: string
  primary: boolean
  verified: boolean
}

async function begin(scope = 'read:user user:email') {
  const verifier = oidc.randomPKCECodeVerifier()
  const url = new URL(`${sandbox.origin}/identity/github/authorize`)
  url.search = String(
    new URLSearchParams({
      client_id: 'sandbox-github',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state: 'a state',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  )
  return { url, verifier }
}

const exchange = (code: string, verifier: string, secret = 'sandbox-github-secret') =>
  fetch(`${sandbox.origin}/identity/github/access_token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: 'sandbox-github',
      client_secret: secret,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
  })

const api = (path: string, token: string) =>
  fetch(`${sandbox.origin}/identity/github/${path}`, { headers: { authorization: `Bearer ${token}` } })

async function tokenFor(answer: Record<string, unknown>, scope?: string) {
  const { url, verifier } = await begin(scope)
  const back = await consent(url, answer)
  const body = await bodyOf<{ access_token: string }>(exchange(back.searchParams.get('code') ?? '', verifier))
  return body.access_token
}

const emailsFor = async (fault?: string) =>
  bodyOf<Address[]>(api('user/emails', await tokenFor({ person: 'lena', ...(fault && { fault }) })))

test('a sign-in follows GitHub: no issuer, a numeric id, a separate call for addresses', async () => {
  const { url, verifier } = await begin()
  const back = await consent(url, { person: 'lena' })
  expect([...back.searchParams.keys()].sort()).toEqual(['code', 'state'])
  const answer = await bodyOf<{ access_token: string }>(
    exchange(back.searchParams.get('code') ?? '', verifier),
  )
  expect(answer).toEqual({
    access_token: expect.stringMatching(/^gho_\w{36}$/),
    token_type: 'bearer',
    scope: 'read:user,user:email',
  })
  expect(await (await api('user', answer.access_token)).json()).toMatchObject({
    login: 'lena',
    id: 10003,
    name: 'Lena Brandt',
    email: null,
  })
  const emails = await bodyOf<Address[]>(api('user/emails', answer.access_token))
  expect(emails).toContainEqual({
    email: 'lena@northquay.example',
    primary: true,
    verified: true,
    visibility: 'private',
  })
})

test('errors follow GitHub: status 200 with an error in the body', async () => {
  const { url, verifier } = await begin()
  const code = (await consent(url, { person: 'lena' })).searchParams.get('code') ?? ''
  const wrong = await exchange(code, verifier, 'wrong')
  expect(wrong.status).toBe(200)
  expect(await wrong.json()).toMatchObject({ error: 'incorrect_client_credentials' })
  const { access_token } = await bodyOf<{ access_token: string }>(exchange(code, verifier))
  expect(await (await exchange(code, verifier)).json()).toMatchObject({ error: 'bad_verification_code' })
  // The second use revoked the token of the first.
  expect((await api('user', access_token)).status).toBe(401)
})

test('the API requires a GitHub token, the scope for addresses and a User-Agent', async () => {
  expect((await api('user', 'gho_nope')).status).toBe(401)
  const narrow = await tokenFor({ person: 'lena' }, 'read:user')
  expect((await api('user/emails', narrow)).status).toBe(404)
  const anonymous = { headers: { authorization: `token ${narrow}`, 'user-agent': '' } }
  expect((await fetch(`${sandbox.origin}/identity/github/user`, anonymous)).status).toBe(403)
  await expect(tokenFor({ email: 'x@example.test', subject: 'abc' })).rejects.toThrow(/400/)
})

test('PKCE is required', async () => {
  const { url } = await begin()
  url.searchParams.delete('code_challenge')
  const answer = await fetch(url, { redirect: 'manual' })
  expect(new URL(answer.headers.get('location') ?? '').searchParams.get('error')).toBe('invalid_request')
})

describe('faults', () => {
  const primary = (emails: Address[]) => emails.find(one => one.primary)

  test('address faults return unverified or no addresses', async () => {
    const unverified = await emailsFor('primary_unverified')
    expect(primary(unverified)).toMatchObject({ email: 'lena@northquay.example', verified: false })
    expect(unverified.filter(one => one.verified)).toHaveLength(1)
    expect((await emailsFor('none_verified')).filter(one => one.verified)).toEqual([])
    expect(await emailsFor('no_emails')).toEqual([])
  })

  test('call faults return 500', async () => {
    expect((await api('user', await tokenFor({ person: 'lena', fault: 'user_500' }))).status).toBe(500)
    expect((await api('user/emails', await tokenFor({ person: 'lena', fault: 'emails_500' }))).status).toBe(
      500,
    )
    const { url, verifier } = await begin()
    const back = await consent(url, { person: 'lena', fault: 'token_500' })
    expect((await exchange(back.searchParams.get('code') ?? '', verifier)).status).toBe(500)
  })
})
