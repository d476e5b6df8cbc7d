import { usableCertificate } from './saml/certificates.ts'
import { type ProvenIdentity, readClaims } from './saml/claims.ts'
import type { ServiceProvider } from './saml/expected.ts'
import { childrenOf, SAML, textOf } from './saml/names.ts'
import { SamlProblem } from './saml/problem.ts'
import { readShape } from './saml/shape.ts'
import { verifySignatures } from './saml/verified.ts'
import { parseXml } from './saml/xml.ts'
import { decodeMessage } from './saml/xml-text.ts'

export type { ProvenIdentity } from './saml/claims.ts'
export { fetchMetadata } from './saml/fetch.ts'
export { readMetadata } from './saml/metadata.ts'
export { type SamlCode, SamlProblem } from './saml/problem.ts'
export { startRequest } from './saml/request.ts'
export { makeServiceKey, type ServiceKey } from './saml/service-key.ts'
export { serviceMetadata } from './saml/service-metadata.ts'

/** What makes a response good only once. */
export type Once = { requestId: string; assertionId: string; keepUntil: Date }

/** Who a posted response says it is from. Nothing is verified: for choosing what to offer, never for signing in. */
export function issuerOf(samlResponse: string): string | null {
  try {
    const response = parseXml(decodeMessage(samlResponse), 'message')
    const named = [response, ...childrenOf(response, SAML, 'Assertion')].flatMap(element =>
      childrenOf(element, SAML, 'Issuer'),
    )
    return named[0] ? textOf(named[0], 'issuer') : null
  } catch (problem) {
    if (problem instanceof SamlProblem) return null
    throw problem
  }
}

/**
 * Turns a posted response into a proven identity, or throws a SamlProblem with the reason.
 *
 * How to call it, so that nothing is left to chance:
 * 1. Find the pending request by RelayState (an opaque id of ours) and by the browser's own flow cookie; it names the
 *    connection and `requestId`. Only look: a forged post must not use up what a genuine one still needs.
 * 2. Call this, outside of any transaction.
 * 3. It calls `spend` when everything else holds. There, in one transaction, delete the request (`delete … where id =
 *    requestId … returning`, one row or false) and insert (connection, assertionId, keepUntil) under a unique key (on
 *    conflict: false). Of any number of equal posts on any number of instances one gets true.
 * No identity comes back unless `spend` said true, so this can't be forgotten.
 *
 * @param options.idp from the connection's row: its issuer, and the PEM certificates that alone are trusted
 * @param options.service our entity id and callback address, as this connection's provider knows them
 */
export async function verifyResponse(options: {
  samlResponse: string
  idp: { entityId: string; certificates: string[] }
  service: ServiceProvider
  requestId: string
  now: Date
  spend: (once: Once) => Promise<boolean>
}): Promise<ProvenIdentity> {
  const { idp, service, requestId, now } = options
  if (
    [idp.entityId, service.entityId, service.acsUrl, requestId].includes('') ||
    idp.certificates.length === 0
  ) {
    throw new Error('A response is verified against a whole connection and a request')
  }
  const certificates = idp.certificates.map(pem => usableCertificate(pem).pem)

  const xml = decodeMessage(options.samlResponse)
  const shape = readShape(parseXml(xml, 'message'))
  const verified = await verifySignatures(xml, shape, certificates)
  const identity = readClaims(verified, { idpEntityId: idp.entityId, ...service, requestId, now })

  const { assertionId, keepUntil } = identity
  if (!(await options.spend({ requestId, assertionId, keepUntil }))) throw new SamlProblem('replayed')
  return identity
}
