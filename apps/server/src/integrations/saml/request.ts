import { randomBytes, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import type { ServiceProvider } from './expectations.ts'
import { POST, SAML, SAMLP } from './names.ts'
import { escapeXml } from './xml-text.ts'

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'

/**
 * Builds the sign-in request and the URL for the browser. Store the id with the connection and the browser for a few
 * minutes: verifyResponse needs it.
 * @param options.relayState an opaque id, never a URL
 * @param options.privateKey PEM; signs the request when the provider wants that
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
    throw new Error('Expected a RelayState of at most 80 word characters')
  // 160 random bits; an XML id must not start with a digit.
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
  // Requests no NameID format and no authentication context: providers refuse unknown ones.
  const xml =
    `<samlp:AuthnRequest${attributes.join('')}><saml:Issuer>${escapeXml(service.entityId)}</saml:Issuer>` +
    '<samlp:NameIDPolicy AllowCreate="true"/></samlp:AuthnRequest>'

  const query = new URLSearchParams({
    SAMLRequest: deflateRawSync(xml).toString('base64'),
    RelayState: relayState,
    ...(privateKey ? { SigAlg: RSA_SHA256 } : {}),
  })
  if (privateKey) {
    // Signs the exact query string, in the parameter order of the binding.
    query.append('Signature', sign('sha256', Buffer.from(query.toString()), privateKey).toString('base64'))
  }
  // Appended as text to keep an existing query of the provider's URL unchanged.
  return { id, url: `${idp.ssoUrl}${idp.ssoUrl.includes('?') ? '&' : '?'}${query}` }
}
