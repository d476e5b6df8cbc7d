import { verify, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import type { SandboxContext } from '../../context.ts'
import { invalid } from '../../http/api-error.ts'
import { isLoopback } from '../providers.ts'
import { formats, type Idp } from './idp.ts'
import { signatureAlgorithms } from './sign-xml.ts'
import { parseXml } from './xml.ts'

const limit = 256 * 1024

export interface AuthnRequest {
  id: string
  /** The service provider's entity id, the audience of the response. */
  issuer: string
  acs_url: string
  format: string
  relay_state: string | null
}

function inflated(url: URL): string {
  const message = url.searchParams.get('SAMLRequest')
  if (!message) throw invalid('SAMLRequest is missing', 'SAMLRequest')
  try {
    return inflateRawSync(Buffer.from(message, 'base64'), { maxOutputLength: limit }).toString('utf8')
  } catch {
    throw invalid('SAMLRequest is not a deflated message of reasonable size', 'SAMLRequest')
  }
}

/** The signature covers the parameters as encoded, in this order (SAML bindings, 3.4.4.1). */
function isSigned(url: URL, certificate: string): boolean {
  const written = new Map(
    url.search
      .slice(1)
      .split('&')
      .map(pair => [pair.split('=')[0] ?? '', pair]),
  )
  const material = ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap(name => written.get(name) ?? []).join('&')
  const signature = Buffer.from(url.searchParams.get('Signature') ?? '', 'base64')
  if (url.searchParams.get('SigAlg') !== signatureAlgorithms['rsa-sha256']) return false
  return verify('sha256', Buffer.from(material), new X509Certificate(certificate).publicKey, signature)
}

/** Checks the signature for service providers with a registered certificate. */
function checkSignature(context: SandboxContext, url: URL, issuer: string) {
  const known = context.store.get('service_provider', issuer)
  const claims = url.searchParams.has('Signature')
  if (!claims && known?.want_signed)
    throw invalid('This service provider signs its requests, and this one is not')
  if (claims && known?.certificate && !isSigned(url, known.certificate))
    throw invalid('The signature of the request is wrong', 'Signature')
}

/** Reads an AuthnRequest of the HTTP-Redirect binding. */
export function readRequest(context: SandboxContext, idp: Idp, url: URL): AuthnRequest {
  const root = parseXml(inflated(url)).documentElement
  if (root?.localName !== 'AuthnRequest') throw invalid('SAMLRequest holds no AuthnRequest', 'SAMLRequest')
  const child = (name: string) =>
    Array.from(root.getElementsByTagName('*')).find(one => one.localName === name)
  const id = root.getAttribute('ID')
  const issuer = child('Issuer')?.textContent?.trim()
  if (!id || !issuer) throw invalid('An AuthnRequest has an ID and an Issuer', 'SAMLRequest')
  const destination = root.getAttribute('Destination')
  if (destination && destination !== idp.sso_url)
    throw invalid(`The request is meant for ${destination}, not for ${idp.sso_url}`, 'SAMLRequest')
  const acs_url = root.getAttribute('AssertionConsumerServiceURL')
  if (!isLoopback(acs_url))
    throw invalid('AssertionConsumerServiceURL must lead to this machine', 'SAMLRequest')
  checkSignature(context, url, issuer)
  const wanted = child('NameIDPolicy')?.getAttribute('Format')
  return {
    id,
    issuer,
    acs_url,
    format: Object.values(formats).find(format => format === wanted) ?? formats.email,
    relay_state: url.searchParams.get('RelayState'),
  }
}
