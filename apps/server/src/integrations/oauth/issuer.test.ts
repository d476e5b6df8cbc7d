import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeKey, startOpenidIssuer } from '../../../test/servers/openid-issuer.ts'

const ada = { subject: 's-1', email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' }
afterEach(() => vi.useRealTimers())

describe('client authentication at the token endpoint', () => {
  const clientId = 'a client:1'
  const clientSecret = 'p%s+w/rd ü&=:~*-._'
  const methods = (...token_endpoint_auth_methods_supported: string[]) => ({
    token_endpoint_auth_methods_supported,
  })

  test.each([
    ['names no method', {}],
    ['lists basic alone', methods('client_secret_basic')],
    ['lists neither', methods('private_key_jwt')],
  ])('by Basic where discovery %s, form-encoded by RFC 6749', async (_, discovery) => {
    const issuer = await startOpenidIssuer({ clientId, clientSecret, discovery })
    expect(await issuer.signIn()).toMatchObject(ada)
    const [call] = issuer.asked('/token')
    const pair = Buffer.from(call?.authorization.replace(/^Basic /, '') ?? '', 'base64').toString()
    expect(pair).toBe('a+client%3A1:p%25s%2Bw%2Frd+%C3%BC%26%3D%3A%7E*-._')
    expect(call?.body.has('client_secret')).toBe(false)
  })

  test.each([
    ['post alone', methods('client_secret_post')],
    ['both', methods('client_secret_basic', 'client_secret_post')],
  ])('in the body where discovery lists %s', async (_, discovery) => {
    const issuer = await startOpenidIssuer({ clientId, clientSecret, discovery })
    expect(await issuer.signIn()).toMatchObject(ada)
    const [call] = issuer.asked('/token')
    expect(call?.authorization).toBe('')
    expect([call?.body.get('client_id'), call?.body.get('client_secret')]).toEqual([clientId, clientSecret])
  })
})

describe('the size of answers', () => {
  const padding = 'x'.repeat(256 * 1024)

  test.each(['/.well-known/openid-configuration', '/token', '/jwks', '/userinfo'])(
    '%s with more than 256 kB is refused, and the error names it',
    async path => {
      const issuer = await startOpenidIssuer()
      // Userinfo is requested only when the token has no name.
      issuer.overrides.claims = { name: undefined }
      issuer.answers.set(path, { padding })
      expect(await issuer.signInFailure()).toContain(
        `${issuer.issuer}${path} answered more than 262144 bytes`,
      )
    },
  )
})

describe('T-56 V9 the claims of an ID token', () => {
  const now = () => Math.floor(Date.now() / 1000)
  test.each([
    ['issued an hour ahead', () => ({ iat: now() + 3600, exp: now() + 7200 }), 'issued in the future'],
    ['issued 35 seconds ahead', () => ({ iat: now() + 35 }), 'issued in the future'],
    ['not valid yet', () => ({ nbf: now() + 600 }), 'timestamp'],
    ['issued to another client', () => ({ azp: 'other' }), 'issued to another client'],
    ['with an azp that is no text', () => ({ azp: null }), 'issued to another client'],
    ['for several audiences without azp', () => ({ aud: ['client', 'other'] }), 'claim value'],
    ['for several, of another client', () => ({ aud: ['client', 'other'], azp: 'other' }), 'claim value'],
  ])('%s: refused', async (_, claims, why) => {
    const issuer = await startOpenidIssuer()
    issuer.overrides.claims = claims()
    expect(await issuer.signInFailure()).toContain(why)
  })

  test.each([
    ['issued 25 seconds ahead', () => ({ iat: now() + 25 })],
    ['issued to us', () => ({ azp: 'client' })],
    ['for several audiences, issued to us', () => ({ aud: ['client', 'other'], azp: 'client' })],
  ])('%s: accepted', async (_, claims) => {
    const issuer = await startOpenidIssuer()
    issuer.overrides.claims = claims()
    expect(await issuer.signIn()).toMatchObject(ada)
  })
})

describe('T-56 V9 the key of a signature', () => {
  test.each([
    ['EdDSA', 'EdDSA'],
    ['Ed25519', 'Ed25519'],
    ['EdDSA', 'Ed25519'],
    ['Ed25519', 'EdDSA'],
  ])('where discovery lists %s a token by %s is accepted', async (listed, alg) => {
    const key = await makeKey(alg, { kid: 'e' })
    const issuer = await startOpenidIssuer({
      key,
      discovery: { id_token_signing_alg_values_supported: [listed] },
    })
    expect(await issuer.signIn()).toMatchObject(ada)
  })

  test('a token without kid is verified with any matching key of the issuer', async () => {
    const issuer = await startOpenidIssuer()
    const [second, foreign] = [await makeKey('RS256', { kid: 'second' }), await makeKey('RS256')]
    issuer.overrides.keys = [second.jwk, (await makeKey('RS512', { alg: 'RS512' })).jwk, issuer.key.jwk]
    issuer.overrides.header = {}
    expect(await issuer.signIn()).toMatchObject(ada)
    issuer.overrides.sign = foreign
    expect(await issuer.signInFailure()).toContain('signature verification failed')
  })

  test('an unknown key id triggers one fetch, and no second one within five seconds', async () => {
    const issuer = await startOpenidIssuer()
    await issuer.signIn()
    const next = await makeKey('RS256', { kid: 'next' })
    Object.assign(issuer.overrides, { sign: next, header: { kid: 'next' } })
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 5_001)
    // The key is not published yet.
    expect(await issuer.signInFailure()).toContain('no applicable key')
    expect(await issuer.signInFailure()).toContain('no applicable key')
    expect(issuer.asked('/jwks')).toHaveLength(2)
    issuer.overrides.keys = [next.jwk]
    vi.setSystemTime(Date.now() + 5_001)
    expect(await issuer.signIn()).toMatchObject(ada)
    expect(issuer.asked('/jwks')).toHaveLength(3)
  })
})

describe('endpoints in the discovery document', () => {
  test.each([
    ['authorization_endpoint', undefined],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', '/authorize'],
    ['authorization_endpoint', 'http://issuer.example/authorize'],
    ['token_endpoint', 'http://issuer.example/token'],
    ['userinfo_endpoint', 'data:,x'],
    ['jwks_uri', undefined],
  ])('%s as %j: refused, and the log says what', async (name, address) => {
    const issuer = await startOpenidIssuer({ discovery: { [name]: address } })
    expect(await issuer.signInFailure()).toContain(`names no usable ${name}`)
  })
})

describe('the userinfo endpoint', () => {
  test('is not called when the ID token is complete', async () => {
    const issuer = await startOpenidIssuer()
    issuer.answers.set('/userinfo', 'down')
    expect(await issuer.signIn()).toMatchObject(ada)
    expect(issuer.asked('/userinfo')).toEqual([])
  })

  test('fills in the name, and the email only together with email_verified', async () => {
    const issuer = await startOpenidIssuer()
    issuer.overrides.claims = { name: undefined, email_verified: false }
    expect(await issuer.signIn()).toMatchObject({
      email: 'ada@example.com',
      email_verified: false,
      first_name: 'From',
      last_name: 'Userinfo',
    })
    issuer.overrides.claims = { name: undefined, email: undefined, email_verified: undefined }
    expect(await issuer.signIn()).toMatchObject({ email: 'more@example.com', email_verified: true })
  })
})
