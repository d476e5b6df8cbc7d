import { usableCertificate } from './certificates.ts'
import { type ProvenIdentity, readClaims } from './claims.ts'
import type { ServiceProvider } from './expectations.ts'
import { childrenOf, SAML, textOf } from './names.ts'
import { SamlProblem } from './problem.ts'
import { checkStructure } from './structure.ts'
import { verifySignatures } from './verify-signatures.ts'
import { parseXml } from './xml.ts'
import { decodeMessage } from './xml-text.ts'

export type { ProvenIdentity } from './claims.ts'
export { fetchMetadata } from './fetch.ts'
export { readMetadata } from './metadata.ts'
export { type SamlCode, SamlProblem } from './problem.ts'
export { createAuthnRequest } from './request.ts'
export { makeServiceKey, type ServiceKey } from './service-key.ts'
export { serviceMetadata } from './service-metadata.ts'

/** What makes a response good only once. */
export type SingleUse = { requestId: string; assertionId: string; keepUntil: Date }

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
  consume: (once: SingleUse) => Promise<boolean>
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
  const shape = checkStructure(parseXml(xml, 'message'))
  const verified = await verifySignatures(xml, shape, certificates)
  const identity = readClaims(verified, { idpEntityId: idp.entityId, ...service, requestId, now })

  const { assertionId, keepUntil } = identity
  if (!(await options.consume({ requestId, assertionId, keepUntil }))) throw new SamlProblem('replayed')
  return identity
}
