import { X509Certificate } from 'node:crypto'
import { SamlProblem } from './problem.ts'

export type Certificate = {
  pem: string
  /** Trust is in the key, not in the date: an expired one still verifies, and its owner is warned. */
  notAfter: Date
  /** SHA-256, as the provider's own console shows it: AB:CD:… */
  fingerprint: string
}

const MIN_RSA_BITS = 2048

/** Takes PEM or the bare base64 of metadata. Only RSA keys of 2048 bits or more verify anything here. */
export function usableCertificate(text: string): Certificate {
  const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/[ \t\r\n]/g, '')
  if (!/^[A-Za-z0-9+/]{100,20000}={0,2}$/.test(base64)) throw new SamlProblem('bad_certificate')
  const certificate = parse(base64)
  const { asymmetricKeyType, asymmetricKeyDetails } = certificate.publicKey
  if (asymmetricKeyType !== 'rsa') throw new SamlProblem('key_type', asymmetricKeyType)
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (bits < MIN_RSA_BITS) throw new SamlProblem('weak_key', String(bits))
  return {
    pem: certificate.toString(),
    notAfter: new Date(certificate.validTo),
    fingerprint: certificate.fingerprint256,
  }
}

function parse(base64: string): X509Certificate {
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    // A key of an unknown kind throws at its first use.
    if (certificate.publicKey.type !== 'public') throw new Error('no public key')
    return certificate
  } catch (cause) {
    throw new SamlProblem('bad_certificate', null, cause)
  }
}
