import { expect, test } from 'vitest'
import { makeTestApp, password } from '../harness.ts'
import { openSocialBrowser } from '../sign-in/social.ts'
import { openSsoBrowser, ssoHelpers } from '../sign-in/sso.ts'
import { makeTokenKinds } from './token-kinds.ts'

/** A token is only in the link that delivers it, and in no other URL, header or page. */
const made = await makeTestApp({ TRUST_PROXY: '127.0.0.1' })
const { app, call, config, people } = made
const { kinds, tokenEndpoints, presentToken } = await makeTokenKinds(made)
const sso = ssoHelpers(made)

/** Headers that forbid referrers and caching. */
function expectSilent(headers: Record<string, unknown>, path: string) {
  expect(headers['referrer-policy'], path).toBe('no-referrer')
  expect(String(headers['content-security-policy']), path).toMatch(/default-src 'none'/)
}

const screens = [
  '/magic',
  '/resetpassword',
  '/signup/verify',
  '/signup/user',
  '/login/social',
  '/login/saml/callback',
  '/signin/impersonate',
  '/signin/end',
  '/signin/undo',
]
const others = [
  '/api/auth',
  '/api/user',
  '/api/nothing',
  '/auth/saml',
  '/auth/social/google',
  '/nothing.js',
  '/live',
]

test.each(Object.keys(kinds))(
  '%s: no answer to an address with it repeats it, or lets it out',
  async kind => {
    const { token } = kinds[kind] ?? { token: '' }
    for (const path of [...screens, ...others])
      for (const name of ['token', 'id', 'jwt']) {
        const reply = await app.inject({
          url: `${path}?${name}=${token}`,
          headers: { accept: 'text/html', cookie: `browser=${token}` },
        })
        expectSilent(reply.headers, path)
        const said = JSON.stringify(reply.headers) + reply.body
        expect(said.includes(token), `${path} repeats it`).toBe(false)
      }
  },
)

test.each(Object.entries(tokenEndpoints))(
  'T-02 %s answers a new token in its body alone',
  async (at, { opens }) => {
    const { token } = kinds[opens] ?? { token: '' }
    const reply = await presentToken(at, { ...kinds[opens], token })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.location).toBeUndefined()
    expectSilent(reply.headers, at)
    expect(String(reply.headers['cache-control'])).toContain('no-store')
    const headers = JSON.stringify(reply.headers)
    expect(headers.includes(token)).toBe(false)
    if (reply.data?.token) expect(headers.includes(reply.data.token)).toBe(false)
  },
)

test('a redirect to a provider contains no token of ours except the parameters it returns', async () => {
  const user = await people.owner()
  const { data, headers } = await call('POST', '/api/auth', { body: { email: user.email, password } })
  const [cookie = ''] = String(headers['set-cookie']).split(';')
  const secrets = [data.token, cookie.slice(cookie.indexOf('=') + 1)]
  const company = await sso.company()
  const connect = await call('POST', '/api/user/identities', {
    token: data.token,
    headers: { cookie },
    body: { provider: 'github' },
  })
  const tried = await call('POST', '/api/sso/test', { token: company.owner.token, headers: { cookie } })
  const social = await app.inject({ url: '/auth/social/google', headers: { cookie } })
  const saml = await app.inject({ url: `/auth/saml?domain=${company.domain}`, headers: { cookie } })
  const addresses = [
    connect.data.url,
    tried.data.url,
    String(social.headers.location),
    String(saml.headers.location),
  ]
  for (const address of addresses) {
    expect(new URL(address).origin).toBe(new URL(config.sandboxUrl ?? '').origin)
    for (const secret of [...secrets, user.email]) expect(decodeURIComponent(address)).not.toContain(secret)
  }
  const known = ['client_id', 'code_challenge', 'code_challenge_method', 'nonce', 'prompt', 'redirect_uri']
  const ours = new Set([
    ...known,
    'response_type',
    'response_mode',
    'scope',
    'state',
    'SAMLRequest',
    'RelayState',
  ])
  for (const address of addresses)
    expect([...new URL(address).searchParams.keys()].filter(key => !ours.has(key))).toEqual([])
})

test('the redirect back from a provider contains the sign-in token and nothing from the provider', async () => {
  const browser = openSocialBrowser(app)
  const back = await browser.consent(await browser.visit('/auth/social/google'), {
    email: (await people.owner()).email,
  })
  const came = [...new URL(back, config.publicUrl).searchParams.values()].filter(value => value.length > 12)
  expect(came.length).toBeGreaterThan(1)
  const page = (await browser.visit(back)).href
  for (const value of came) expect(decodeURIComponent(page)).not.toContain(value)
  const company = await sso.company()
  const one = openSsoBrowser(made)
  const { location } = await sso.start(one, company)
  const posted = await sso.answer(location, { email: sso.address(company) })
  const { location: ours } = await sso.post(posted)
  expect([...ours.searchParams.keys()]).toEqual(['saml_callback', 'token'])
  for (const value of [posted.relay_state, posted.saml_response, ...posted.assertion_ids])
    expect(decodeURIComponent(ours.href)).not.toContain(value)
})
