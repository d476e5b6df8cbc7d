import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  makeServiceKey,
  readMetadata,
  SamlProblem,
  serviceMetadata,
} from '../../src/integrations/saml/saml.ts'
import { parseXml } from '../../src/integrations/saml/xml.ts'
import { foreignKey, idpKey, type Verdict } from './idp.ts'
import { at, idpEntityId, NOW, service } from './message.ts'

const SAMLP = 'urn:oasis:names:tc:SAML:2.0:protocol'
const bare = (pem: string) => pem.replace(/-----.*-----|\s/g, '')
const key = (pem: string, use = ' use="signing"') =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>` +
  `<ds:X509Certificate>\n${bare(pem)}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`
const sso = (location: string, binding = 'HTTP-Redirect') =>
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`

const idp = ({
  keys = key(idpKey.certificate),
  services = sso('https://idp.example.com/post', 'HTTP-POST') +
    sso('https://idp.example.com/sso?tenant=1&amp;x=y'),
  attributes = '',
  protocol = SAMLP,
} = {}) =>
  `<md:IDPSSODescriptor protocolSupportEnumeration="${protocol}"${attributes}>${keys}${services}</md:IDPSSODescriptor>`
const metadata = (content = idp(), attributes = `entityID="${idpEntityId}"`) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<!-- made by hand -->\n` +
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ${attributes}>${content}</md:EntityDescriptor>`

const read = (xml: string) => readMetadata(xml, { now: NOW })
function codeOf(xml: string): Verdict {
  try {
    read(xml)
    return 'accepted'
  } catch (problem) {
    if (problem instanceof SamlProblem) return problem.code
    throw problem
  }
}

describe('an identity provider’s metadata', () => {
  test('gives its name, its address, its keys and its wish for signatures', () => {
    expect(read(metadata(idp({ attributes: ' WantAuthnRequestsSigned="true"' })))).toEqual({
      entityId: idpEntityId,
      ssoUrl: 'https://idp.example.com/sso?tenant=1&x=y',
      certificates: [
        {
          pem: idpKey.certificate,
          notAfter: new Date(new X509Certificate(idpKey.certificate).validTo),
          fingerprint: new X509Certificate(idpKey.certificate).fingerprint256,
        },
      ],
      wantsSigned: true,
    })
    expect(read(metadata()).wantsSigned).toBe(false)
  })

  test('may start with a byte order mark, be in a list, and contain unknown elements', () => {
    expect(codeOf(`\ufeff\r\n${metadata()}\r\n`)).toBe('accepted')
    const list = (content: string) =>
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${content}</md:EntitiesDescriptor>`
    const entity = metadata().replace(/^.*-->\n/s, '')
    expect(codeOf(list(entity))).toBe('accepted')
    expect(codeOf(list(entity + entity))).toBe('several_idps')
    expect(codeOf(metadata(`<x:Role xmlns:x="urn:x" xml:base="/">text</x:Role>${idp()}`))).toBe('accepted')
  })

  test('is read as Shibboleth writes it', () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
      '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" ' +
      'xmlns:shibmd="urn:mace:shibboleth:metadata:1.0" xmlns:xml="http://www.w3.org/XML/1998/namespace" ' +
      `xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui" entityID="${idpEntityId}">\n` +
      `<IDPSSODescriptor protocolSupportEnumeration="urn:mace:shibboleth:1.0 ${SAMLP}">\n<Extensions>` +
      '<shibmd:Scope regexp="false">example.com</shibmd:Scope>' +
      '<mdui:UIInfo><mdui:DisplayName xml:lang="en">Example</mdui:DisplayName></mdui:UIInfo></Extensions>' +
      `${key(idpKey.certificate)}${sso('https://idp.example.com/profile/SAML2/Redirect/SSO')}`.replaceAll(
        'md:',
        '',
      ) +
      '</IDPSSODescriptor></EntityDescriptor>'
    expect(read(xml)).toMatchObject({
      entityId: idpEntityId,
      ssoUrl: 'https://idp.example.com/profile/SAML2/Redirect/SSO',
      certificates: [{ fingerprint: new X509Certificate(idpKey.certificate).fingerprint256 }],
    })
  })

  test('may be long: a directory lists every claim it knows', () => {
    const claims = '<md:Claim Uri="urn:x" Optional="true"><md:Name>x</md:Name></md:Claim>'.repeat(2000)
    expect(codeOf(metadata(`<md:Claims>${claims}</md:Claims>${idp()}`))).toBe('accepted')
    expect(codeOf(metadata(`${'<md:a/>'.repeat(20_000)}${idp()}`))).toBe('too_many_nodes')
  })

  test('keys for encryption are not for signing; the same key twice is one', () => {
    const encryption = key(foreignKey.certificate, ' use="encryption"')
    const both = key(idpKey.certificate, '')
    const { certificates } = read(metadata(idp({ keys: encryption + both + key(idpKey.certificate) })))
    expect(certificates.map(({ pem }) => pem)).toEqual([idpKey.certificate])
    expect(codeOf(metadata(idp({ keys: encryption })))).toBe('no_certificate')
  })

  test('an old key beside a new one is left out; alone it is refused by name', async () => {
    const weak = await makeServiceKey({ name: 'weak', now: NOW, bits: 1024 })
    expect(codeOf(metadata(idp({ keys: key(weak.certificate) })))).toBe('weak_key')
    const { certificates } = read(metadata(idp({ keys: key(weak.certificate) + key(idpKey.certificate) })))
    expect(certificates).toHaveLength(1)
  })

  test('an expired certificate is accepted and its end is returned', async () => {
    const old = await makeServiceKey({ name: 'old', now: new Date('2020-01-01'), bits: 2048, days: 10 })
    expect(read(metadata(idp({ keys: key(old.certificate) }))).certificates[0]?.notAfter).toEqual(
      new Date('2020-01-11'),
    )
  })
})

/** A certificate of an elliptic key, which signs by algorithms we don't verify. */
const elliptic =
  'MIIBcTCCARegAwIBAgIUL4wDjfTz+pgfrRXKOqIQjs8lSWYwCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCZWMwIBcNMjYxMTIw' +
  'MjE1MzEzWhgPMjEyNjEwMjcyMTUzMTNaMA0xCzAJBgNVBAMMAmVjMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEv0hNyRyL' +
  'uHmj2UTBpWwTJ2GkPxOlf4Q9sGwSdVV7pZ9SrR4z+lTcRa8NwilQrpZpzT4FydCfchirMdbvtC3Fg6NTMFEwHQYDVR0OBBYE' +
  'FLtGg5U6Q0ETZTf8tgric1zpiW8nMB8GA1UdIwQYMBaAFLtGg5U6Q0ETZTf8tgric1zpiW8nMA8GA1UdEwEB/wQFMAMBAf8w' +
  'CgYIKoZIzj0EAwIDSAAwRQIgfsQnVNsvhikhYvEJORRJhsB9AG7Bs5eG25I7lZ9NZBICIQD4Uo+ujoMAKpCIRIw9Zot7/Cof' +
  'CZ2oVrV1ctU5BHa4eA=='

describe('T-54 T-55 metadata that is refused, and why', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cases: [string, string, Verdict][] = [
    ['too large', metadata(`<md:Organization>${'x'.repeat(256 * 1024)}</md:Organization>`), 'too_large'],
    ['not XML', 'https://idp.example.com/metadata', 'bad_xml'],
    ['a page', '<html><body/></html>', 'not_metadata'],
    ['a document type', metadata().replace('<md:Entity', '<!DOCTYPE x><md:Entity'), 'doctype'],
    ['an entity', metadata().replace('<md:Entity', '<!DOCTYPE x [<!ENTITY a "b">]><md:Entity'), 'doctype'],
    ['too deep', metadata('<md:x>'.repeat(50) + '</md:x>'.repeat(50)), 'too_deep'],
    ['in another alphabet', metadata().replace('utf-8', 'utf-16'), 'bad_encoding'],
    ['only a service provider', serviceMetadata(service), 'no_idp'],
    ['an older SAML', metadata(idp({ protocol: 'urn:oasis:names:tc:SAML:1.1:protocol' })), 'no_idp'],
    ['no name', metadata(idp(), ''), 'bad_entity_id'],
    ['a name with spaces', metadata(idp(), 'entityID="a b"'), 'bad_entity_id'],
    ['no certificate', metadata(idp({ keys: '' })), 'no_certificate'],
    ['a certificate that is none', metadata(idp({ keys: key('A'.repeat(400)) })), 'bad_certificate'],
    [
      'a key without a certificate',
      metadata(idp({ keys: key(publicKey.export({ type: 'spki', format: 'pem' }).toString()) })),
      'bad_certificate',
    ],
    ['a key of another kind', metadata(idp({ keys: key(elliptic) })), 'key_type'],
    [
      'no redirect',
      metadata(idp({ services: sso('https://idp.example.com/', 'HTTP-POST') })),
      'no_redirect_binding',
    ],
    ['an address in the clear', metadata(idp({ services: sso('http://idp.example.com/') })), 'bad_sso_url'],
    ['an address that is a script', metadata(idp({ services: sso('javascript:alert(1)') })), 'bad_sso_url'],
    [
      'an address with a password',
      metadata(idp({ services: sso('https://a:b@idp.example.com/') })),
      'bad_sso_url',
    ],
    [
      'an address with a fragment',
      metadata(idp({ services: sso('https://idp.example.com/#x') })),
      'bad_sso_url',
    ],
    ['no address', metadata(idp({ services: sso('/sso') })), 'bad_sso_url'],
    ['over', metadata(idp(), `entityID="x" validUntil="${at(0)}"`), 'metadata_expired'],
  ]
  test.each(cases)('%s', (_, xml, code) => {
    expect(codeOf(metadata())).toBe('accepted')
    expect(codeOf(xml)).toBe(code)
  })

  test('a sign-in page in the clear is the sandbox’s alone', () => {
    const xml = metadata(idp({ services: sso('http://localhost:5001/saml/sso') }))
    expect(codeOf(xml)).toBe('bad_sso_url')
    expect(readMetadata(xml, { now: NOW, sandboxOrigin: 'http://localhost:5001' }).ssoUrl).toContain(
      'localhost:5001',
    )
    expect(() => readMetadata(xml, { now: NOW, sandboxOrigin: 'http://localhost:5003' })).toThrow(
      'bad_sso_url',
    )
  })
})

describe('our own metadata', () => {
  test('names us, our address, and the key where requests are signed', async () => {
    const { certificate } = await makeServiceKey({ name: 'app.example.com', now: NOW, bits: 2048 })
    const xml = serviceMetadata({ ...service, certificate })
    const root = parseXml(xml, 'message')
    expect(root.attributes).toEqual([{ name: 'entityID', ns: '', value: service.entityId }])
    expect(xml).toContain(bare(certificate))
    expect(xml).toContain('AuthnRequestsSigned="true" WantAssertionsSigned="true"')
    expect(serviceMetadata(service)).toContain('AuthnRequestsSigned="false"')
    expect(serviceMetadata(service)).not.toContain('KeyDescriptor')
  })

  test('a name is text in it', () => {
    const odd = { entityId: `https://x/"><evil a='b'&c`, acsUrl: 'https://x/?a=1&b="2"' }
    const root = parseXml(serviceMetadata(odd), 'message')
    expect(root.attributes[0]?.value).toBe(odd.entityId)
    expect(root.children).toHaveLength(1)
  })
})

test('V11.6.1 a key of ours: 3072 bits, a certificate of its own that the platform reads and verifies', async () => {
  const { privateKey, certificate } = await makeServiceKey({ name: 'Plinth: café', now: NOW })
  const parsed = new X509Certificate(certificate)
  expect(parsed.publicKey.asymmetricKeyDetails?.modulusLength).toBe(3072)
  expect(parsed.verify(parsed.publicKey)).toBe(true)
  expect(parsed.subject).toBe('CN=Plinth: café')
  expect(parsed.validFromDate).toEqual(NOW)
  expect(privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----/)
  const far = await makeServiceKey({ name: 'far', now: NOW, bits: 2048, days: 365 * 30 })
  expect(new X509Certificate(far.certificate).validToDate.getUTCFullYear()).toBe(2056)
})
