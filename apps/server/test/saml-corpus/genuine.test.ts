import { describe, expect, test } from 'vitest'
import {
  base64,
  bothSigned,
  genuine,
  nextKey,
  post,
  resigned,
  responseSigned,
  type Signing,
  signed,
  verdict,
  verdictOf,
} from './idp.ts'
import { at, attribute, authnContext, NOW, nameId, person, requestId, responseXml } from './message.ts'

describe('a genuine response', () => {
  test.each([
    ['its assertion signed', genuine],
    ['as a whole signed', responseSigned],
    ['signed in both places', bothSigned],
  ])('%s: the identity', async (_, make) => {
    const identity = await post(
      base64(
        make({
          assertion: { ID: '_a1' },
          authn: { SessionNotOnOrAfter: at(3600) },
          attributes:
            attribute('email', 'Ada@Example.com') + attribute('givenName', 'Ada') + attribute('sn', 'L'),
        }),
      ),
    )
    expect(identity).toEqual({
      nameId: person,
      nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
      sessionIndex: '_session1',
      sessionNotOnOrAfter: new Date(at(3600)),
      assertionId: '_a1',
      keepUntil: new Date(at(-1 + 300 + 60)),
      attributes: { email: 'ada@example.com', first_name: 'Ada', last_name: 'L' },
      authnContext: 'urn:oasis:names:tc:SAML:2.0:ac:classes:Password',
    })
  })
})

describe('what differs between honest providers is accepted', () => {
  const header = '<?xml version="1.0" encoding="UTF-8"?>'
  const lines = (text: string) => text.replace(/.{76}/g, '$&\r\n')
  test.each([
    ['an XML declaration', base64(`${header}\n${genuine()}`)],
    ['base64 in lines', lines(base64(genuine()))],
    ['Windows line ends', base64(genuine({ attributes: `\r\n${attribute('email', person)}\r\n` }))],
    [
      'SHA-512',
      base64(
        genuine(
          {},
          {
            algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
            digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
          },
        ),
      ),
    ],
    ['the next key', base64(genuine({}, { key: nextKey }))],
    ['one key inside, the next outside', base64(signed(genuine(), 'Response', { key: nextKey }))],
    ['RSA-PSS', base64(genuine({}, { algorithm: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1' }))],
    ['no KeyInfo', base64(genuine().replace(/<ds:KeyInfo>.*<\/ds:KeyInfo>/, ''))],
    [
      'OneTimeUse',
      base64(
        genuine({
          conditionsContent:
            '<saml:AudienceRestriction><saml:Audience>https://app.example.com/auth/saml/metadata</saml:Audience></saml:AudienceRestriction><saml:OneTimeUse/>',
        }),
      ),
    ],
    [
      'a time with nanoseconds',
      base64(genuine({ assertion: { IssueInstant: '2026-11-20T11:59:59.123456789Z' } })),
    ],
    [
      'a clock 50 seconds ahead',
      base64(genuine({ assertion: { IssueInstant: at(50) }, conditions: { NotBefore: at(50) } })),
    ],
    [
      'typed attribute values and attributes of their own',
      base64(
        genuine({
          attributes: `<saml:Attribute Name="mail" xmlns:a="urn:x" a:OriginalIssuer="y"><saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema" xsi:type="xs:string">${person}</saml:AttributeValue></saml:Attribute>`,
        }),
      ),
    ],
  ])('%s', async (_, posted) => {
    expect(await verdictOf(posted)).toBe('accepted')
  })
})

describe('each provider writes XML in a way of its own', () => {
  const plain = responseXml()
  const styles: [string, string, Signing?][] = [
    [
      'without prefixes',
      plain.replace(/<saml:Assertion .*<\/saml:Assertion>/, assertion =>
        assertion.replaceAll('saml:', '').replace('xmlns:saml', 'xmlns'),
      ),
      { prefix: '' },
    ],
    ['with other prefixes', plain.replaceAll('samlp', 'saml2p').replace(/\bsaml\b(?=[:=])/g, 'saml2')],
    ['with its namespaces on the root alone', plain.replace(/(<saml:Assertion) xmlns:saml="[^"]*"/, '$1')],
    ['in lines', plain.replaceAll('><', '>\n  <')],
    [
      'with more on the root than it needs',
      plain.replace(
        '<samlp:Response ',
        '<samlp:Response xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Consent="urn:oasis:names:tc:SAML:2.0:consent:unspecified" ',
      ),
    ],
    [
      'with where the person was',
      plain.replace('<saml:AuthnContext>', '<saml:SubjectLocality Address="192.0.2.1"/><saml:AuthnContext>'),
    ],
  ]
  test.each(styles)('%s', async (_, xml, options) => {
    for (const what of ['Assertion', 'Response'] as const) {
      const identity = await post(base64(signed(xml, what, options)))
      expect(identity).toMatchObject({ nameId: person, attributes: { email: person } })
    }
    const both = signed(signed(xml, 'Assertion', options), 'Response', options)
    expect(await verdict(both)).toBe('accepted')
  })
})

test('a list of inclusive namespaces is accepted', async () => {
  // The signer writes the list into both transforms; it belongs into the second alone.
  const both = genuine({}, { inclusive: ['xs', 'xsi'] })
  const once = both.replace(/<InclusiveNamespaces [^>]*xmldsig#enveloped-signature"\/>/, '')
  expect(once).not.toBe(both)
  expect(await verdict(resigned(once))).toBe('accepted')
})

describe('the address a provider gives', () => {
  const email = async (parts: Parameters<typeof genuine>[0]) =>
    (await post(base64(genuine(parts)))).attributes.email

  test('comes from the attribute, and else from a NameID that is one', async () => {
    expect(await email({ nameId: nameId('u-17'), attributes: attribute('mail', person) })).toBe(person)
    expect(await email({ attributes: attribute('department', 'x') })).toBe(person)
    const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
    expect(await email({ nameId: nameId(person, persistent), attributes: attribute('x', 'y') })).toBeNull()
  })

  test('T-50 several addresses, or one that is none, are refused', async () => {
    expect(await verdict(genuine({ attributes: attribute('email', person, 'b@example.com') }))).toBe('email')
    expect(
      await verdict(genuine({ attributes: attribute('email', person) + attribute('mail', 'b@example.com') })),
    ).toBe('email')
    expect(await verdict(genuine({ attributes: attribute('email', person, person.toUpperCase()) }))).toBe(
      'accepted',
    )
    expect(await verdict(genuine({ attributes: attribute('email', 'аda@example.com') }))).toBe('email')
  })

  test('T-50 a domain with look-alike letters is another domain, in ASCII', async () => {
    expect(await email({ attributes: attribute('email', 'ada@exаmple.com') })).toBe('ada@xn--exmple-4nf.com')
  })

  test('T-50 an element within a value is refused', async () => {
    const hidden = genuine({ attributes: attribute('email', `${person}<saml:NameID/>.evil.com`) })
    expect(await verdict(hidden)).toBe('attributes')
  })
})

test('the authentication context is returned', async () => {
  const mfa = 'https://refeds.org/profile/mfa'
  expect((await post(base64(genuine({ authnContent: authnContext(mfa) })))).authnContext).toBe(mfa)
})

describe('T-51 once', () => {
  test('a used request or a used assertion gives no identity', async () => {
    const asked: unknown[] = []
    const posted = base64(genuine({ assertion: { ID: '_once' } }))
    const consume = async (once: unknown) => asked.push(once) === 1
    const both = await Promise.allSettled([
      post(posted, consume as () => Promise<boolean>),
      post(posted, consume as () => Promise<boolean>),
    ]) // as: the helper's own type takes nothing
    expect(asked).toEqual(Array(2).fill({ requestId, assertionId: '_once', keepUntil: new Date(at(359)) }))
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'replayed' } })
  })

  test('a forged response does not use up the request', async () => {
    let spent = 0
    const forged = base64(responseXml())
    await expect(
      post(forged, async () => {
        spent += 1
        return true
      }),
    ).rejects.toMatchObject({ code: 'unsigned' })
    const late = base64(genuine({ conditions: { NotOnOrAfter: at(-100) } }))
    await expect(
      post(late, async () => {
        spent += 1
        return true
      }),
    ).rejects.toMatchObject({ code: 'expired' })
    expect(spent).toBe(0)
  })

  test('its id is to be kept at least as long as it would be accepted', async () => {
    const xml = base64(genuine({ conditions: { NotOnOrAfter: at(30) } }))
    expect((await post(xml)).keepUntil).toEqual(new Date(NOW.getTime() + 90_000))
  })
})

test('a signature that is there must hold, also where another one would do', async () => {
  const twice = signed(genuine(), 'Response')
  expect(await verdict(twice)).toBe('accepted')
  const broken = twice.replace(
    /(<ds:SignatureValue>)./,
    (_, tag: string) => `${tag}${twice.includes(`${tag}A`) ? 'B' : 'A'}`,
  )
  expect(await verdict(broken)).toBe('signature')
})
