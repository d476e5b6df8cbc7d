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

/** The ids that make a response usable only once. */
export type SingleUse = { requestId: string; assertionId: string; keepUntil: Date }

/** Unverified issuer of a posted response. Use it to suggest a connection, never to sign in. */
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
 * Verifies a posted response and returns the identity, or throws a SamlProblem.
 *
 * How to call it:
 * 1. Find the pending request by RelayState and by the browser's flow cookie; it holds the connection and `requestId`.
 *    Do not delete it yet: a forged post must not use up a genuine request.
 * 2. Call this outside of any transaction.
 * 3. It calls `consume` after all other checks. In one transaction, delete the request (`delete … where id = requestId
 *    … returning`, false without a row) and insert (connection, assertionId, keepUntil) under a unique key (false on
 *    conflict). Of several equal posts on any number of instances, only one gets true.
 *
 * @param options.idp issuer and the only trusted PEM certificates, from the connection's row
 * @param options.service our entity id and callback URL, as registered at the provider
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
    throw new Error('Expected a complete connection and a request id')
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
