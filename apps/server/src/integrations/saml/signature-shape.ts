import { attributeOf, DS, EXC_C14N, is, walk } from './names.ts'
import { type SamlCode, SamlProblem } from './problem.ts'
import type { Element } from './xml.ts'

/** Allowed signature algorithms: no SHA-1 and no HMAC. */
const SIGNATURES = [
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]
const DIGESTS = ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512']
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const KEY_INFO = new Set(
  (
    'KeyInfo KeyName KeyValue RSAKeyValue Modulus Exponent X509Data X509Certificate X509IssuerSerial ' +
    'X509IssuerName X509SerialNumber X509SubjectName X509SKI'
  ).split(' '),
)

/** Accepts one form of signature only: enveloped, referencing its parent by id, with exclusive canonicalization. */
export function checkSignatureShape(signature: Element, signedId: string) {
  const [info, value, keyInfo, ...rest] = elementsOf(signature)
  if (!is(info, DS, 'SignedInfo') || !is(value, DS, 'SignatureValue') || rest.length > 0) refuse()
  checkBase64(value)
  if (keyInfo) checkKeyInfo(keyInfo)

  const [canonicalization, method, reference, ...references] = elementsOf(info)
  if (!is(reference, DS, 'Reference') || references.length > 0) refuse()
  checkAlgorithm(canonicalization, 'CanonicalizationMethod', [EXC_C14N])
  checkPrefixes(canonicalization)
  checkAlgorithm(method, 'SignatureMethod', SIGNATURES)
  checkEmpty(method)
  if (attributeOf(reference, 'URI') !== `#${signedId}`) refuse()

  const [transforms, digest, digestValue, ...parts] = elementsOf(reference)
  if (!is(transforms, DS, 'Transforms') || !is(digestValue, DS, 'DigestValue') || parts.length > 0) refuse()
  const [enveloped, exclusive, ...further] = elementsOf(transforms)
  if (further.length > 0) refuse()
  checkAlgorithm(enveloped, 'Transform', [ENVELOPED])
  checkEmpty(enveloped)
  checkAlgorithm(exclusive, 'Transform', [EXC_C14N])
  checkPrefixes(exclusive)
  checkAlgorithm(digest, 'DigestMethod', DIGESTS)
  checkEmpty(digest)
  checkBase64(digestValue)
}

function checkAlgorithm(
  element: Element | undefined,
  name: string,
  allowed: string[],
): asserts element is Element {
  if (!is(element, DS, name)) refuse()
  const algorithm = attributeOf(element, 'Algorithm')
  if (algorithm === null || !allowed.includes(algorithm)) refuse('algorithm', algorithm)
}

/** Keys in the message are ignored, because the key comes from the connection. Allows known elements only. */
function checkKeyInfo(keyInfo: Element) {
  if (keyInfo.name !== 'KeyInfo') refuse()
  for (const [element] of walk(keyInfo)) if (element.ns !== DS || !KEY_INFO.has(element.name)) refuse()
}

function checkPrefixes(element: Element) {
  const [inclusive, ...more] = elementsOf(element)
  if (more.length > 0) refuse()
  if (!inclusive) return
  const prefixes = attributeOf(inclusive, 'PrefixList')
  if (!is(inclusive, EXC_C14N, 'InclusiveNamespaces') || prefixes === null) refuse()
  checkEmpty(inclusive)
  if (!/^(?:#default|[\w.-]{1,50})(?: (?:#default|[\w.-]{1,50})){0,19}$|^$/.test(prefixes)) refuse()
}

function checkBase64(element: Element) {
  if (element.children.length > 0 || element.attributes.some(({ name }) => name !== 'Id')) refuse()
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(element.text.replace(/[ \t\n]/g, ''))) refuse()
}

function checkEmpty(element: Element) {
  if (elementsOf(element).length > 0) refuse()
}

/** The child elements; refuses text between them. */
function elementsOf(element: Element): Element[] {
  if (/[^ \t\n]/.test(element.text)) refuse()
  return element.children
}

function refuse(code: SamlCode = 'signature_shape', found?: string | null): never {
  throw new SamlProblem(code, found)
}
