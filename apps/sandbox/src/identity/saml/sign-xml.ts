import { SignedXml } from 'xml-crypto'
import { invalid } from '../../http/api-error.ts'
import type { SigningKey } from '../signing-keys.ts'
import { parseXml } from './xml.ts'

const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const more = 'http://www.w3.org/2001/04/xmldsig-more#'

export const signatureAlgorithms = {
  'rsa-sha256': `${more}rsa-sha256`,
  'rsa-sha512': `${more}rsa-sha512`,
  'rsa-sha1': `${dsig}rsa-sha1`,
  'hmac-sha1': `${dsig}hmac-sha1`,
} as const

export const digestAlgorithms = {
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
  sha512: 'http://www.w3.org/2001/04/xmlenc#sha512',
  sha1: `${dsig}sha1`,
} as const

export const canonicalizations = {
  'exc-c14n': 'http://www.w3.org/2001/10/xml-exc-c14n#',
  'exc-c14n-with-comments': 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  c14n: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
} as const

export interface Signing {
  key: SigningKey
  algorithm: keyof typeof signatureAlgorithms
  digest: keyof typeof digestAlgorithms
  canonicalization: keyof typeof canonicalizations
  /** The certificate in KeyInfo, or none. */
  keyInfo: SigningKey | null
}

const secretOf = ({ key, algorithm }: Signing) =>
  algorithm === 'hmac-sha1' ? String(key.publicKey.export({ type: 'spki', format: 'pem' })) : key.privateKey

function startsWithIssuer(xml: string, id: string): boolean {
  const all = Array.from(parseXml(xml).getElementsByTagName('*'))
  const signed = all.find(one => one.getAttribute('ID') === id)
  const first = Array.from(signed?.childNodes ?? []).find(node => node.nodeType === 1)
  return first !== undefined && 'localName' in first && first.localName === 'Issuer'
}

/** Adds an enveloped signature to the element with this ID, after its Issuer or as its first child. */
export function signElement(xml: string, id: string, signing: Signing): string {
  if (!/^[\w.:-]+$/.test(id))
    throw invalid(`an ID that can be signed is a name, not ${JSON.stringify(id)}`, 'id')
  const here = `//*[@ID='${id}']`
  const issuer = `${here}/*[local-name()='Issuer']`
  const canonicalization = canonicalizations[signing.canonicalization]
  const signature = new SignedXml({
    privateKey: secretOf(signing),
    ...(signing.keyInfo && { publicCert: signing.keyInfo.certificate }),
    signatureAlgorithm: signatureAlgorithms[signing.algorithm],
    canonicalizationAlgorithm: canonicalization,
    idAttribute: 'ID',
  })
  if (signing.algorithm === 'hmac-sha1') signature.enableHMAC()
  signature.addReference({
    xpath: here,
    uri: `#${id}`,
    transforms: [`${dsig}enveloped-signature`, canonicalization],
    digestAlgorithm: digestAlgorithms[signing.digest],
  })
  try {
    signature.computeSignature(xml, {
      prefix: 'ds',
      location: startsWithIssuer(xml, id)
        ? { reference: issuer, action: 'after' }
        : { reference: here, action: 'prepend' },
    })
  } catch (error) {
    throw invalid(`Cannot sign the XML: ${error instanceof Error ? error.message : String(error)}`)
  }
  return signature.getSignedXml()
}
