import { attributeOf, is, only, SAML, SAMLP } from './names.ts'
import { SamlProblem } from './problem.ts'
import type { ResponseStructure } from './structure.ts'
import { type Element, parseXml } from './xml.ts'

/** What may be read: an assertion from signed bytes, and the response around it. */
export type Verified = {
  assertion: Element
  /** From signed bytes when the provider signs responses; else only good for refusing, as anyone may have written it. */
  response: Element
  responseSigned: boolean
}

/**
 * Lets node-saml check the signatures the shape has, against the connection's certificates alone, and reads the
 * canonical bytes it returns: those that were hashed, not those that were posted. A signature that is there must hold,
 * also where another one would do.
 */
export async function verifySignatures(
  xml: string,
  shape: ResponseStructure,
  certificates: string[],
): Promise<Verified> {
  // Loaded at the first use: a server whose accounts have no single sign-on never pays for it. The function behind
  // its class is used because the class would read the identity with a second parser and keep the signed bytes of
  // the response to itself.
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
