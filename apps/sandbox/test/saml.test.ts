import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SAML, type SamlConfig } from '@node-saml/node-saml'
import { describe, expect, test } from 'vitest'
import { selfSigned } from '../src/identity/certificate.ts'
import { bodyOf, type RunningSandbox, sandboxForFile, startSandbox } from './support/sandbox.ts'

interface Answer {
  acs_url: string
  saml_response: string
  relay_state: string | null
  xml: string
  response_id: string
  assertion_ids: string[]
}

const acs = 'http://localhost:5000/auth/saml/acs'
const audience = 'http://localhost:5000/auth/saml/metadata'

const sandbox = await sandboxForFile()

const metadataOf = async (at = 'saml') => (await fetch(`${sandbox.origin}/identity/${at}/metadata`)).text()

const pem = (metadata: string) =>
  `-----BEGIN CERTIFICATE-----\n${/<ds:X509Certificate>([^<]+)/.exec(metadata)?.[1]}\n-----END CERTIFICATE-----`

/** An independent SAML service provider. */
const serviceProvider = async (more: Partial<SamlConfig> = {}, at = 'saml') =>
  new SAML({
    callbackUrl: acs,
    issuer: audience,
    audience,
    entryPoint: `${sandbox.origin}/identity/${at}/sso`,
    idpIssuer: `${sandbox.origin}/identity/${at}/metadata`,
    idpCert: pem(await metadataOf(at)),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: true,
    ...more,
  })

const answerAs = async (url: string, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })

const person = { person: 'lena' }

const sign = async (body: object) =>
  bodyOf<Answer>(sandbox.post('/identity/saml/sign', { acs_url: acs, audience, person, ...body }))

const validate = async (answer: Answer, more: Partial<SamlConfig> = {}) =>
  (await serviceProvider(more)).validatePostResponseAsync({ SAMLResponse: answer.saml_response })

describe('a sign-in', () => {
  test('ends with a response that a service provider accepts', async () => {
    const sp = await serviceProvider()
    const url = await sp.getAuthorizeUrlAsync('opaque', undefined, {})
    const answer = await bodyOf<Answer>(answerAs(url, { person: 'zoe' }))
    expect(answer).toMatchObject({ acs_url: acs, relay_state: 'opaque' })
    const { profile } = await sp.validatePostResponseAsync({ SAMLResponse: answer.saml_response })
    expect(profile).toMatchObject({
      issuer: `${sandbox.origin}/identity/saml/metadata`,
      nameID: 'zoe@northquay.example',
      nameIDFormat: expect.stringContaining('emailAddress'),
      email: 'zoe@northquay.example',
      firstName: 'Zoë',
      lastName: 'Ångström',
      sessionIndex: expect.stringMatching(/^_/),
    })
    expect(answer.xml.match(/<ds:SignatureValue>/g)).toHaveLength(2)
    expect(answer.xml).toContain(`Destination="${acs}"`)
    expect(answer.xml).toContain(`Recipient="${acs}"`)
    expect(answer.xml).toMatch(/SessionNotOnOrAfter="20/)
    expect(answer.xml.match(/InResponseTo="[^"]+"/g)).toHaveLength(2)
  })

  test('in the browser: a page to choose a person, then a form that posts to the product', async () => {
    const url = await (await serviceProvider()).getAuthorizeUrlAsync('"opaque"', undefined, {})
    const page = await (await fetch(url)).text()
    expect(page).toContain('Lena Brandt')
    expect(page).toContain('name="name_id"')
    const form = await fetch(url, {
      method: 'POST',
      headers: { origin: sandbox.origin },
      body: new URLSearchParams({ email: 'ida@northquay.example', first_name: 'Ida', name_id: 'ida-77' }),
    })
    const html = await form.text()
    expect(form.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(html).not.toMatch(/<script>/)
    expect(html).toContain(`action="${acs}"`)
    expect(html).toContain('name="RelayState" value="&quot;opaque&quot;"')
    const SAMLResponse = /name="SAMLResponse" value="([^"]+)"/.exec(html)?.[1] ?? ''
    const { profile } = await (await serviceProvider()).validatePostResponseAsync({ SAMLResponse })
    expect(profile).toMatchObject({ nameID: 'ida-77', email: 'ida@northquay.example' })
    const foreign = await fetch(url, { method: 'POST', headers: { origin: 'http://evil.example' } })
    expect(foreign.status).toBe(403)
  })

  test('can be denied by the person', async () => {
    const sp = await serviceProvider()
    const url = await sp.getAuthorizeUrlAsync('', undefined, {})
    const answer = await bodyOf<Answer>(answerAs(url, { action: 'deny' }))
    expect(answer.assertion_ids).toEqual([])
    expect(answer.xml).toContain('status:AuthnFailed')
    await expect(sp.validatePostResponseAsync({ SAMLResponse: answer.saml_response })).rejects.toThrow(
      /The person denied the sign-in/,
    )
  })

  test('applies the options of the call', async () => {
    const sp = await serviceProvider()
    const options = { assertion: { conditions: { not_on_or_after: -600 } } }
    const url = () => sp.getAuthorizeUrlAsync('', undefined, {})
    const tried = async (body: object) => {
      const { saml_response } = await bodyOf<Answer>(answerAs(await url(), { person: 'lena', ...body }))
      return sp.validatePostResponseAsync({ SAMLResponse: saml_response })
    }
    await expect(tried({ options })).rejects.toThrow(/expired/)
    await expect(tried({})).resolves.toBeTruthy()
  })
})

describe('requests', () => {
  test.each([
    ['that leave this machine', { callbackUrl: 'https://evil.example/acs' }, /this machine/],
    ['for someone else', { additionalParams: { SAMLRequest: 'AAAA' } }, /deflated/],
  ])('%s are refused', async (_, more, reason) => {
    const url = await (await serviceProvider(more)).getAuthorizeUrlAsync('', undefined, {})
    for (const accept of ['application/json', 'text/html']) {
      const answer = await fetch(url, { headers: { accept } })
      expect(answer.status).toBe(400)
      expect(answer.headers.get('content-type')).toContain(accept)
      expect(await answer.text()).toMatch(reason)
    }
  })

  test('with a signature are checked when the certificate is registered', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const issuer = 'http://localhost:5000/signed'
    const certificate = selfSigned(createPrivateKey(key), 'product', new Date())
    await sandbox.post('/identity/saml/sp', { entity_id: issuer, certificate, want_signed: true })
    const signed = await serviceProvider({ issuer, privateKey: key, signatureAlgorithm: 'sha256' })
    const url = await signed.getAuthorizeUrlAsync('state', undefined, {})
    expect((await fetch(url)).status).toBe(200)
    expect((await fetch(url.replace('RelayState=state', 'RelayState=other'))).status).toBe(400)
    const unsigned = await (await serviceProvider({ issuer })).getAuthorizeUrlAsync('', undefined, {})
    expect((await fetch(unsigned)).status).toBe(400)
  })
})

describe('providers', () => {
  test('each name is a company with its own key', async () => {
    const [one, two] = [await metadataOf(), await metadataOf('saml/acme')]
    expect(pem(one)).not.toBe(pem(two))
    const sp = await serviceProvider({}, 'saml/acme')
    const url = await sp.getAuthorizeUrlAsync('', undefined, {})
    const { saml_response } = await bodyOf<Answer>(answerAs(url, { person: 'mara' }))
    await expect(sp.validatePostResponseAsync({ SAMLResponse: saml_response })).resolves.toBeTruthy()
    const other = await serviceProvider()
    await expect(other.validatePostResponseAsync({ SAMLResponse: saml_response })).rejects.toThrow()
  })

  test('the certificate is valid', async () => {
    const certificate = new X509Certificate(pem(await metadataOf()))
    expect(certificate.subject).toBe('CN=Plinth sandbox saml')
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 9 * 365 * 86_400_000)
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now())
  })

  test('metadata and keys survive restarts and resets', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'))
    const env = { SANDBOX_MEMORY: '0', DATA_DIR: folder }
    const read = async (running: RunningSandbox) => [
      pem(await (await fetch(`${running.origin}/identity/saml/metadata`)).text()),
      await (await fetch(`${running.origin}/identity/oidc/google/jwks`)).json(),
    ]
    const one = await startSandbox(env)
    const before = await read(one)
    // The second sandbox reads them from the data folder, not from the process.
    for (const [at, key] of (await read(sandbox)).entries()) expect(key).not.toEqual(before[at])
    await one.post('/sandbox/reset')
    expect(await read(one)).toEqual(before)
    await one.stop()
    const two = await startSandbox(env)
    expect(await read(two)).toEqual(before)
    await two.stop()
    rmSync(folder, { recursive: true })
  })
})

describe('custom responses', () => {
  test('an unchanged response is accepted', async () => {
    const { profile } = await validate(await sign({}))
    expect(profile).toMatchObject({ nameID: 'lena@northquay.example' })
  })

  test('they reply to the request in an SSO address', async () => {
    const sp = await serviceProvider({ issuer: 'http://localhost:5000/other-sp' })
    const sso_url = await sp.getAuthorizeUrlAsync('opaque', undefined, {})
    const answer = await bodyOf<Answer>(sandbox.post('/identity/saml/sign', { sso_url, person }))
    expect(answer.relay_state).toBe('opaque')
    expect(answer.xml).toContain('<saml:Audience>http://localhost:5000/other-sp</saml:Audience>')
  })

  test.each([
    ['destination', { response: { destination: 'http://x/' } }, 'Destination="http://x/"'],
    ['no destination', { response: { destination: null } }, /^(?!.*Destination=)/],
    [
      'recipient',
      { assertion: { subject_confirmation: { recipient: 'http://x/' } } },
      'Recipient="http://x/"',
    ],
    ['response issuer', { response: { issuer: 'evil' } }, '<saml:Issuer>evil</saml:Issuer>'],
    ['no audience', { assertion: { conditions: { audience: null } } }, /^(?!.*Audience)/],
    ['status', { response: { status: 'Requester' } }, 'status:Requester'],
    ['NameID', { assertion: { name_id: { value: 'other' } } }, '>other</saml:NameID>'],
    ['attributes', { assertion: { attributes: { email: null, role: 'admin' } } }, 'Name="role"'],
    ['session over', { assertion: { authn: { session_not_on_or_after: -60 } } }, 'SessionNotOnOrAfter'],
    ['two assertions', { second_assertion: { name_id: { value: 'b@b.c' } } }, 'b@b.c'],
    ['DOCTYPE', { prefix: '<!DOCTYPE x>' }, '<!DOCTYPE x><samlp:Response'],
    ['rsa-sha1', { signature_algorithm: 'rsa-sha1' }, 'xmldsig#rsa-sha1'],
  ])('%s', async (_, options, expected) => {
    const { xml, saml_response, assertion_ids } = await sign({ options })
    expect(Buffer.from(saml_response, 'base64').toString()).toBe(xml)
    if (typeof expected === 'string') expect(xml).toContain(expected)
    else expect(xml).toMatch(expected)
    expect(xml.match(/<ds:SignatureValue>/g)).toHaveLength(assertion_ids.length + 1)
  })

  test('changed content has a valid signature, unless the signature itself is altered', async () => {
    const holds = async (options: object) => validate(await sign({ options }), { audience: false })
    await expect(holds({ response: { destination: 'http://x/' } })).resolves.toBeTruthy()
    await expect(holds({ signature_algorithm: 'rsa-sha1' })).resolves.toBeTruthy()
    await expect(holds({ key: 'foreign' })).rejects.toThrow(/signature/i)
    await expect(holds({ key: 'saml/acme' })).rejects.toThrow(/signature/i)
    await expect(holds({ key: 'foreign', key_info: 'own' })).rejects.toThrow(/signature/i)
    await expect(holds({ sign: 'none' })).rejects.toThrow(/signature/i)
    await expect(holds({ sign: 'response' })).rejects.toThrow(/signature/i)
  })

  test('responses that are expired, not valid yet or for another audience are refused', async () => {
    const tried = async (conditions: object) =>
      validate(await sign({ options: { assertion: { conditions } } }))
    await expect(tried({ not_on_or_after: -60 })).rejects.toThrow(/expired/)
    await expect(tried({ not_before: 60 })).rejects.toThrow(/not yet valid/)
    await expect(tried({ audience: 'other' })).rejects.toThrow(/audience/i)
  })

  test.each([
    [{ options: { sign: 'twice' } }],
    [{ options: { response: 'x' } }],
    [{ options: { key: '../x' } }],
    [{ options: { signature_algorithm: 'md5' } }],
    [{ acs_url: 'https://evil.example/' }],
    [{ person: { person: 'nobody' } }],
  ])('%j is no order', async body => {
    const order = { acs_url: acs, audience, person, ...body }
    expect((await sandbox.post('/identity/saml/sign', order)).status).toBe(400)
  })
})
