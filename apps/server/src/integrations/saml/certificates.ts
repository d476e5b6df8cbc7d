import { X509Certificate } from 'node:crypto'
import { SamlProblem } from './problem.ts'

export type Certificate = {
  pem: string
  /** An expired certificate still verifies, because the key is trusted; the account owner gets a warning. */
  notAfter: Date
  /** SHA-256 in the format of provider consoles: AB:CD:… */
  fingerprint: string
}

const MIN_RSA_BITS = 2048

/** Accepts PEM or the base64 of metadata. Requires an RSA key of at least 2048 bits. */
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
    // Accessing an unknown key type throws.
    if (certificate.publicKey.type !== 'public') throw new Error('no public key')
    return certificate
  } catch (cause) {
    throw new SamlProblem('bad_certificate', null, cause)
  }
}
