import { type Certificate, usableCertificate } from './certificates.ts'
import { attributeOf, childrenOf, DS, is, MD, REDIRECT, SAMLP, walk } from './names.ts'
import { SamlProblem } from './problem.ts'
import { timeOf } from './time-window.ts'
import { type Element, parseXml } from './xml.ts'
import { normalizeText } from './xml-text.ts'

export type IdpMetadata = {
  entityId: string
  /** Sign-in URL for the HTTP-Redirect binding. */
  ssoUrl: string
  certificates: Certificate[]
  wantsSigned: boolean
}

/**
 * Reads the parts of identity provider metadata that a connection needs. Ignores its signature: trust comes from the
 * account owner who uploads it, or from the https URL.
 * @param options.sandboxOrigin origin of the sandbox, the only one whose sign-in URL may use http
 */
export function readMetadata(
  xml: string,
  { now, sandboxOrigin = null }: { now: Date; sandboxOrigin?: string | null },
): IdpMetadata {
  // Windows files may start with a byte order mark, and pasted text with an empty line.
  const root = parseXml(normalizeText(xml.replace(/^\ufeff/, '').trim()), 'metadata')
  if (root.ns !== MD || !['EntityDescriptor', 'EntitiesDescriptor'].includes(root.name)) {
    throw new SamlProblem('not_metadata', root.name)
  }
  const found = [...walk(root)].filter(
    ([element]) =>
      is(element, MD, 'IDPSSODescriptor') &&
      (attributeOf(element, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(SAMLP),
  )
  const [idp, entity] = found[0] ?? []
  if (!idp || !is(entity ?? undefined, MD, 'EntityDescriptor') || !entity) throw new SamlProblem('no_idp')
  if (found.length > 1) throw new SamlProblem('several_idps')

  for (const element of new Set([root, entity, idp])) {
    if (attributeOf(element, 'validUntil') !== null && timeOf(element, 'validUntil') <= now) {
      throw new SamlProblem('metadata_expired')
    }
  }
  const entityId = attributeOf(entity, 'entityID') ?? ''
  if (entityId === '' || entityId.length > 1024 || /\s/.test(entityId)) throw new SamlProblem('bad_entity_id')
  return {
    entityId,
    ssoUrl: signInUrl(idp, sandboxOrigin),
    certificates: signingCertificates(idp),
    wantsSigned: ['true', '1'].includes(attributeOf(idp, 'WantAuthnRequestsSigned') ?? ''),
  }
}

function signInUrl(idp: Element, sandboxOrigin: string | null): string {
  const services = childrenOf(idp, MD, 'SingleSignOnService')
  const service = services.find(each => attributeOf(each, 'Binding') === REDIRECT)
  if (!service) throw new SamlProblem('no_redirect_binding')
  const location = attributeOf(service, 'Location') ?? ''
  const url = location.length <= 2048 && URL.canParse(location) ? new URL(location) : null
  const allowed = url?.protocol === 'https:' || (url !== null && url.origin === sandboxOrigin)
  if (!url || !allowed || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw new SamlProblem('bad_sso_url', location)
  }
  return url.href
}

/** Signing certificates. Skips unusable ones; when none is left, throws the last problem. */
function signingCertificates(idp: Element): Certificate[] {
  const texts = childrenOf(idp, MD, 'KeyDescriptor')
    .filter(key => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap(key => [...walk(key)].map(([element]) => element))
    .filter(element => is(element, DS, 'X509Certificate'))
    .map(element => element.text)
  if (texts.length === 0 || texts.length > 10) throw new SamlProblem('no_certificate')
  const usable = new Map<string, Certificate>()
  let problem: unknown
  for (const text of texts) {
    try {
      const certificate = usableCertificate(text)
      usable.set(certificate.fingerprint, certificate)
    } catch (caught) {
      problem = caught
    }
  }
  if (usable.size === 0) throw problem
  return [...usable.values()]
}
