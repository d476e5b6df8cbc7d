import { attributeOf, childrenOf, DS, EXC_C14N, is, SAML, SAMLP, SUCCESS, walk } from './names.ts'
import { SamlProblem } from './problem.ts'
import { checkSignatureShape } from './signature-shape.ts'
import type { Element } from './xml.ts'

/** Namespace of each element name. The same name in another namespace is an attack. */
const NAMESPACE_OF = new Map(
  Object.entries({
    [SAMLP]: 'Response Status StatusCode StatusMessage',
    [SAML]:
      'Assertion Issuer Subject NameID BaseID SubjectConfirmation SubjectConfirmationData Conditions Condition ' +
      'AudienceRestriction Audience OneTimeUse ProxyRestriction AuthnStatement AuthnContext AuthnContextClassRef ' +
      'AttributeStatement Attribute AttributeValue',
    [DS]:
      'Signature SignedInfo SignatureValue SignatureMethod CanonicalizationMethod Reference Transforms Transform ' +
      'DigestMethod DigestValue KeyInfo Object',
    [EXC_C14N]: 'InclusiveNamespaces',
  }).flatMap(([ns, names]) => names.split(' ').map(name => [name, ns] as const)),
)
const NAMESPACES = new Set([SAMLP, SAML, DS, EXC_C14N])
const XML_NS = 'http://www.w3.org/XML/1998/namespace'

/** A response with valid structure, and which of its parts have a signature. */
export type ResponseStructure = {
  response: Element
  assertionId: string
  responseSigned: boolean
  assertionSigned: boolean
}

/**
 * Requires one Response with one Assertion as its child, at most one Signature in each at the standard position, unique
 * ids, no encrypted and no foreign elements. This defeats signature wrapping. Does not verify signatures.
 */
export function checkStructure(response: Element): ResponseStructure {
  if (!is(response, SAMLP, 'Response')) throw new SamlProblem('not_a_response')
  refuseFailedStatus(response)

  const elements = [...walk(response)].map(([element]) => element)
  const ids = new Set<string>()
  for (const element of elements) {
    refuseForeign(element)
    collectIds(element, ids)
  }
  const named = (name: string) => elements.filter(each => each.name === name).length
  const [assertion] = childrenOf(response, SAML, 'Assertion')
  if (!assertion || named('Assertion') !== 1) throw new SamlProblem('assertion_count')
  if (named('Response') !== 1) throw new SamlProblem('not_a_response')
  idOf(response)
  const assertionId = idOf(assertion)

  const signatures = [signatureOf(response), signatureOf(assertion)] as const
  // All signature elements must be inside these two.
  const within = new Set(
    signatures.flatMap(each => (each ? [...walk(each)].map(([element]) => element) : [])),
  )
  if (elements.some(each => (each.ns === DS || each.ns === EXC_C14N) && !within.has(each))) {
    throw new SamlProblem('signature_shape')
  }
  if (!signatures[0] && !signatures[1]) throw new SamlProblem('unsigned')
  return {
    response,
    assertionId,
    responseSigned: signatures[0] !== null,
    assertionSigned: signatures[1] !== null,
  }
}

function signatureOf(signed: Element): Element | null {
  const [signature] = childrenOf(signed, DS, 'Signature')
  if (!signature) return null
  // The schema puts it directly after the issuer. The caller finds a second one, because it is inside neither.
  if (!is(signed.children[0], SAML, 'Issuer') || signed.children[1] !== signature) {
    throw new SamlProblem('signature_shape')
  }
  checkSignatureShape(signature, idOf(signed))
  return signature
}

/** Checked first, because providers rarely sign failure responses. */
export function refuseFailedStatus(response: Element) {
  const [status, ...more] = childrenOf(response, SAMLP, 'Status')
  const code = status && childrenOf(status, SAMLP, 'StatusCode')
  const value = code?.length === 1 && code[0] ? attributeOf(code[0], 'Value') : null
  if (more.length > 0 || value !== SUCCESS) {
    const inner = code?.[0]?.children[0]
    throw new SamlProblem('status', (inner && attributeOf(inner, 'Value')) ?? value)
  }
}

function refuseForeign(element: Element) {
  const { name, ns } = element
  if (name.startsWith('Encrypted')) throw new SamlProblem('encrypted', name)
  const home = NAMESPACE_OF.get(name)
  if (!NAMESPACES.has(ns) || (home && home !== ns)) throw new SamlProblem('foreign_element', `{${ns}}${name}`)
  const foreign = element.attributes.find(
    attribute =>
      (attribute.ns === XML_NS && attribute.name !== 'lang') ||
      (attribute.ns !== '' && attribute.name.toLowerCase() === 'id'),
  )
  if (foreign) throw new SamlProblem('foreign_attribute', foreign.name)
}

/** Verifiers search for ID, Id and id on all elements, so ids must be unique and on the expected elements. */
function collectIds(element: Element, ids: Set<string>) {
  for (const { name, value } of element.attributes) {
    if (name.toLowerCase() !== 'id') continue
    const belongs =
      element.ns === DS
        ? name === 'Id'
        : name === 'ID' && (element.name === 'Response' || element.name === 'Assertion')
    if (!belongs || ids.has(value)) throw new SamlProblem('bad_id')
    ids.add(value)
  }
}

function idOf(element: Element): string {
  const id = attributeOf(element, 'ID')
  // XML forbids a leading digit, but some providers send one, and references still work.
  if (!id || !/^\w[\w.-]{0,199}$/.test(id)) throw new SamlProblem('bad_id')
  return id
}
