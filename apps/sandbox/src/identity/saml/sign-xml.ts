import { SignedXml } from 'xml-crypto'
import type { SigningKey } from '../signing-keys.ts'

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'

export const signatureAlgorithms = {
  'rsa-sha256': `${more}rsa-sha256`,
  'rsa-sha1': `${dsig}rsa-sha1`,
} as const

const canonicalization = 'http://www.w3.org/2001/10/xml-exc-c14n#'

export interface Signing {
  key: SigningKey
  algorithm: keyof typeof signatureAlgorithms
  /** The key whose certificate is in KeyInfo. */
  keyInfo: SigningKey
}

/** Adds an enveloped signature to the element with this ID, after its Issuer. */
export function signElement(xml: string, id: string, signing: Signing): string {
  const here = `//*[@ID='${id}']`
  const signature = new SignedXml({
    privateKey: signing.key.privateKey,
    publicCert: signing.keyInfo.certificate,
    signatureAlgorithm: signatureAlgorithms[signing.algorithm],
    canonicalizationAlgorithm: canonicalization,
    idAttribute: 'ID',
  })
  signature.addReference({
    xpath: here,
    uri: `#${id}`,
    transforms: [`${dsig}enveloped-signature`, canonicalization],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  })
  signature.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${here}/*[local-name()='Issuer']`, action: 'after' },
  })
  return signature.getSignedXml()
}
