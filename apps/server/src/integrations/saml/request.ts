import { randomBytes, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { ServiceProvider } from './expectations.ts'
import { POST, SAML, SAMLP } from './names.ts'
import { escapeXml } from './xml-text.ts'

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

/**
 * The first step of a sign-in: where to send the browser. Keep the id with the connection, bound to the browser and
 * for minutes only: verifyResponse asks for it.
 * @param options.relayState an opaque id of ours, never an address
 * @param options.privateKey PEM; signs the request where the provider wants that
 */
export function createAuthnRequest(options: {
  idp: { ssoUrl: string }
  service: ServiceProvider
  relayState: string
  now: Date
  privateKey?: string
}): { id: string; url: string } {
  const { idp, service, relayState, now, privateKey } = options
  if (!/^[\w-]{1,80}$/.test(relayState))
    throw new Error('A RelayState is an opaque id of at most 80 characters')
  // 160 random bits; an XML id may not begin with a digit.
  const id = `_${randomBytes(20).toString('hex')}`
  const attributes = Object.entries({
    'xmlns:samlp': SAMLP,
    'xmlns:saml': SAML,
    ID: id,
    Version: '2.0',
    IssueInstant: now.toISOString(),
    Destination: idp.ssoUrl,
    AssertionConsumerServiceURL: service.acsUrl,
    ProtocolBinding: POST,
  }).map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
  // No format and no class of authentication is asked for: providers refuse what they are not set up for.
  const xml =
    `<samlp:AuthnRequest${attributes.join('')}><saml:Issuer>${escapeXml(service.entityId)}</saml:Issuer>` +
    '<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>'

  const query = new URLSearchParams({
    SAMLRequest: deflateRawSync(xml).toString('base64'),
    RelayState: relayState,
    ...(privateKey ? { SigAlg: RSA_SHA256 } : {}),
  })
  if (privateKey) {
    // Over the very text that travels, in the order the binding lays down.
    query.append('Signature', sign('sha256', Buffer.from(query.toString()), privateKey).toString('base64'))
  }
  // Appended as text: a query the provider's own address has stays as it is.
  return { id, url: `${idp.ssoUrl}${idp.ssoUrl.includes('?') ? '&' : '?'}${query}` }
}
