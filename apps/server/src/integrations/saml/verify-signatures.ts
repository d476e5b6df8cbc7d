import { attributeOf, is, only, SAML, SAMLP } from './names.ts'
import { SamlProblem } from './problem.ts'
import type { ResponseStructure } from './structure.ts'
import { type Element, parseXml } from './xml.ts'

/** An assertion parsed from signed bytes, and its response. */
export type Verified = {
  assertion: Element
  /** From signed bytes only when `responseSigned`; otherwise untrusted, so use it only to refuse. */
  response: Element
  responseSigned: boolean
}

/**
 * Verifies all present signatures with node-saml against the connection's certificates, and parses the canonical bytes
 * that were hashed instead of the posted ones.
 */
export async function verifySignatures(
  xml: string,
  shape: ResponseStructure,
  certificates: string[],
): Promise<Verified> {
  // Loaded at the first use, because most servers do not need it. Uses the inner function: the class of node-saml parses
  // the identity with a second parser and does not return the signed bytes of the response.
  const { getVerifiedXml, parseDomFromString, xpath } = await import('@node-saml/node-saml/lib/xml.js')
  const document = await parseDomFromString(xml).catch(cause => {
    throw new SamlProblem('bad_xml', null, cause)
  })
  const [root] = xpath.selectElements(document, '/*')
  const [assertionNode] = xpath.selectElements(document, "/*/*[local-name(.)='Assertion']")
  const signed = (node: typeof root, wanted: boolean): Element | null => {
    if (!wanted) return null
    if (!node) throw new SamlProblem('signature')
    let bytes: string | null
    try {
      bytes = getVerifiedXml(xml, node, certificates)
    } catch (cause) {
      throw new SamlProblem('signature', null, cause)
    }
    if (!bytes) throw new SamlProblem('signature')
    return parseXml(bytes, 'message')
  }
  const response = signed(root, shape.responseSigned)
  const assertion =
    signed(assertionNode, shape.assertionSigned) ??
    (response && only(response, SAML, 'Assertion', 'assertion_count'))

  const isTheOne =
    is(assertion ?? undefined, SAML, 'Assertion') && (!response || is(response, SAMLP, 'Response'))
  if (!assertion || !isTheOne || attributeOf(assertion, 'ID') !== shape.assertionId) {
    throw new SamlProblem('signature')
  }
  return { assertion, response: response ?? shape.response, responseSigned: response !== null }
}
