import { inflateRawSync } from 'node:zlib'
import { evilHost, redirectAttacks } from '@plinth/contract/test/redirect-attacks'
import { describe, expect, test } from 'vitest'
import { freshEmail, makeTestApp } from '../harness.ts'
import { openSocialBrowser } from './social.ts'
import { openSsoBrowser, ssoHelpers } from './sso.ts'

/** T-75: nothing that a visitor writes into a way in decides where the browser goes. */
const made = await makeTestApp()
const { app, config } = made
const sso = ssoHelpers(made)
const company = await sso.company()
const email = sso.address(company)

const corpus = redirectAttacks(new URL(config.publicUrl).host)
test('the corpus is long, and no line comes twice', () => {
  expect(new Set(corpus).size).toBe(corpus.length)
  expect(corpus.length).toBeGreaterThanOrEqual(120)
})

const names = [
  'redirect',
  'redirect_uri',
  'redirect_url',
  'return',
  'return_to',
  'returnTo',
  'next',
  'url',
  'continue',
  'callback',
  'dest',
  'RelayState',
  'target_link_uri',
]
/** The value in every common redirect parameter. */
const everywhere = (value: string, more: Record<string, string> = {}) =>
  String(new URLSearchParams({ ...Object.fromEntries(names.map(name => [name, value])), ...more }))
const sandbox = new URL(config.sandboxUrl ?? '').origin

/** The reply without random tokens, which can contain `evil` by chance. */
const said = (text: unknown) => decodeURIComponent(String(text)).replace(/(?<![\w-])[\w-]{43}(?![\w-])/g, '')

const go = async (path: string) => (await app.inject({ url: path })).headers
/** One of our own screens, of those that end a way in. */
function expectOwn(headers: Record<string, unknown>, path: RegExp) {
  const to = new URL(String(headers.location))
  expect(to.origin).toBe(config.publicUrl)
  expect(to.pathname + to.search).toMatch(path)
  expect(said(headers.location)).not.toContain('evil')
  expect(said(headers['set-cookie'] ?? '')).not.toContain('evil')
}

describe('T-75 social sign-in', () => {
  test.each(corpus)('begins at the provider with our own return address: %j', async value => {
    const to = new URL(String((await go(`/auth/social/google?${everywhere(value)}`)).location))
    expect(to.origin).toBe(sandbox)
    expect(to.searchParams.getAll('redirect_uri')).toEqual([
      `${config.publicUrl}/auth/social/google/callback`,
    ])
    expect(said(to.href)).not.toContain('evil')
  })

  test.each(corpus)('knows no provider of that name: %j', async value => {
    const reply = await app.inject({ url: `/auth/social/${encodeURIComponent(value)}` })
    if (reply.statusCode === 303) expectOwn(reply.headers, /^\/login\?error=provider_unknown$/)
    else expect(reply.headers.location).toBeUndefined()
  })

  test.each(corpus)('comes back to our sign-in screen: %j', async value => {
    const query = everywhere(value, { state: value, code: value, iss: value, error: value, error_uri: value })
    expectOwn(await go(`/auth/social/google/callback?${query}`), /^\/login\?error=social_expired$/)
  })

  test('and a genuine return goes to its own screen, whatever else it carries', async () => {
    for (const value of corpus.filter((_, n) => n % 8 === 0)) {
      const one = openSocialBrowser(app)
      const back = await one.consent(await one.visit('/auth/social/google'), { email: freshEmail() })
      const to = await one.visit(`${back}&${everywhere(value)}`)
      expect([to.origin, to.pathname]).toEqual([config.publicUrl, '/login/social'])
      expect([...to.searchParams.keys()]).toEqual(['provider', 'token'])
      expect(to.searchParams.get('provider')).toBe('google')
    }
  })
})

describe('T-75 single sign-on', () => {
  test.each(corpus)('begins nowhere: %j', async value => {
    for (const name of ['domain', 'email', 'connection'])
      expectOwn(
        await go(`/auth/saml?${everywhere(value, { [name]: value })}`),
        /^\/login\/saml\?error=sso_unknown$/,
      )
  })

  test.each(corpus)('begins at the account’s own provider, with a RelayState of ours: %j', async value => {
    const { location } = await go(`/auth/saml?${everywhere(value, { domain: company.domain })}`)
    const to = new URL(String(location))
    expect([to.origin, to.pathname]).toEqual([sandbox, `/identity/saml/${company.name}/sso`])
    expect([to.username, to.password, to.hash]).toEqual(['', '', ''])
    expect([...to.searchParams.keys()].sort()).toEqual(['RelayState', 'SAMLRequest'])
    expect(to.searchParams.get('RelayState')).toMatch(/^[\w-]{43}$/)
    const asked = inflateRawSync(Buffer.from(to.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    expect(asked).toMatch(/^<samlp:AuthnRequest /)
    expect(asked).not.toContain('evil')
  })

  test.each(corpus)('another site’s visit leads to our page: %j', async value => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const query of [everywhere(value, { domain: value }), everywhere(value, { email: `a@${value}` })]) {
      const reply = await app.inject({ url: `/auth/saml?${query}`, headers })
      const to = new URL(String(reply.headers.location))
      expect([to.origin, to.pathname]).toEqual([config.publicUrl, '/login/saml'])
    }
  })

  const post = (query: string, form: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url: `/auth/saml/acs${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: String(new URLSearchParams(form)),
    })

  test('a genuine answer under any RelayState but its own leads to our start, under its own to our page', async () => {
    const browser = openSsoBrowser(made)
    const { location } = await sso.start(browser, company)
    const { saml_response: SAMLResponse, relay_state } = await sso.answer(location, { email })
    for (const RelayState of corpus)
      expectOwn(
        (await post(`?${everywhere(RelayState)}`, { SAMLResponse, RelayState })).headers,
        /^\/login\/saml\?connection=[0-9a-f-]{36}&begin=here$/,
      )
    const form = { ...Object.fromEntries(names.map(name => [name, `//${evilHost}`])), SAMLResponse }
    const reply = await post(`?${everywhere(`//${evilHost}`)}`, { ...form, RelayState: relay_state })
    expectOwn(reply.headers, /^\/login\/saml\/callback\?saml_callback=1&token=[\w-]{43}$/)
  })
})
