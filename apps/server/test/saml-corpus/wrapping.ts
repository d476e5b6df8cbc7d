import { assertionXml, evil, nameId } from './message.ts'

/** The forged, unsigned assertion of an attacker. */
export const forged = (id = '_evil') =>
  assertionXml({ assertion: { ID: id }, nameId: nameId(evil), attributes: '' })

/** The parts of a signed message of ours, by the text. */
export function partsOf(xml: string) {
  const cut = (pattern: RegExp) => pattern.exec(xml)?.[0] ?? ''
  const assertion = cut(/<saml:Assertion .*<\/saml:Assertion>/s)
  const signature = cut(/<ds:Signature .*?<\/ds:Signature>/s)
  return {
    assertion,
    signature,
    bareAssertion: assertion.replace(signature, ''),
    bareResponse: xml.replace(signature, ''),
    id: /<saml:Assertion [^>]*?ID="([^"]*)"/.exec(xml)?.[1] ?? '',
  }
}

/** The response with ids of its own, in which the person is another. */
const turned = (xml: string) =>
  xml
    .replace(/(<samlp:Response [^>]*?ID=")[^"]*/, '$1_evil1')
    .replace(/(<saml:Assertion [^>]*?ID=")[^"]*/, '$1_evil2')
    .replaceAll('>ada@', '>owner@')

const intoSignature = (signature: string, content: string) =>
  signature.replace('</ds:Signature>', `${content}</ds:Signature>`)
const inObject = (content: string) => `<ds:Object>${content}</ds:Object>`
const withSignature = (signature: string) => forged().replace('</saml:Issuer>', `</saml:Issuer>${signature}`)

/**
 * The eight classic ways to keep a genuine signature while another part is read (Somorovsky and others, "On Breaking
 * SAML", 2012), numbered as the attack tools number them. 1 and 2 wrap a signed response, the others a signed assertion.
 */
export const wrapping: Record<number, { what: string; wrap: (xml: string) => string }> = {
  1: {
    what: 'the signed response within its own signature, a forged one around it',
    wrap: xml => {
      const { signature, bareResponse } = partsOf(xml)
      return turned(xml).replace(signature, intoSignature(signature, bareResponse))
    },
  },
  2: {
    what: 'the signed response before its signature, a forged one around both',
    wrap: xml => {
      const { signature, bareResponse } = partsOf(xml)
      return turned(xml).replace(signature, bareResponse + signature)
    },
  },
  3: {
    what: 'a forged assertion before the signed one',
    wrap: xml => xml.replace('<saml:Assertion ', `${forged()}<saml:Assertion `),
  },
  4: {
    what: 'a forged assertion around the signed one',
    wrap: xml => {
      const { assertion } = partsOf(xml)
      return xml.replace(assertion, forged().replace('</saml:Assertion>', `${assertion}</saml:Assertion>`))
    },
  },
  5: {
    what: 'the signature in a forged assertion, the signed one behind it',
    wrap: xml => {
      const { assertion, bareAssertion, signature } = partsOf(xml)
      return xml.replace(assertion, withSignature(signature) + bareAssertion)
    },
  },
  6: {
    what: 'the signature in a forged assertion, the signed one within the signature',
    wrap: xml => {
      const { assertion, bareAssertion, signature } = partsOf(xml)
      return xml.replace(assertion, withSignature(intoSignature(signature, bareAssertion)))
    },
  },
  7: {
    what: 'a forged assertion among extensions, before the signed one',
    wrap: xml =>
      xml.replace('<saml:Assertion ', `<samlp:Extensions>${forged()}</samlp:Extensions><saml:Assertion `),
  },
  8: {
    what: 'the signature in a forged assertion, the signed one in an object of the signature',
    wrap: xml => {
      const { assertion, bareAssertion, signature } = partsOf(xml)
      return xml.replace(assertion, withSignature(intoSignature(signature, inObject(bareAssertion))))
    },
  },
}

/** The same ideas in places of which the eight make no use. */
export const wrappedElsewhere: [
  what: string,
  signed: 'response' | 'assertion',
  wrap: (xml: string) => string,
][] = [
  [
    'the signed response in an object of its own signature',
    'response',
    xml => {
      const { signature, bareResponse } = partsOf(xml)
      return turned(xml).replace(signature, intoSignature(signature, inObject(bareResponse)))
    },
  ],
  [
    // A search from the root still finds it there.
    'the signature at the end of a forged assertion, the signed one in its object',
    'assertion',
    xml => {
      const { assertion, bareAssertion, signature } = partsOf(xml)
      const end = `${intoSignature(signature, inObject(bareAssertion))}</saml:Assertion>`
      return xml.replace(assertion, forged().replace('</saml:Assertion>', end))
    },
  ],
  [
    'a forged assertion behind the signed one',
    'assertion',
    xml => xml.replace('</samlp:Response>', `${forged()}</samlp:Response>`),
  ],
]
