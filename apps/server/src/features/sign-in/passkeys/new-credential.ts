import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'

/** Length of a credential id in WebAuthn. */
const idBytes = { least: 1, most: 1023 }

type NewCredential = { credentialId: Buffer; publicKey: Uint8Array; attestationObject: string }

/** Whether a new credential can sign in later: complete, with an id, and with a key that the library verifies. */
export async function canSignIn({
  credentialId,
  publicKey,
  attestationObject,
}: NewCredential): Promise<boolean> {
  const { decodeAttestationObject, decodeCredentialPublicKey } = await import(
    '@simplewebauthn/server/helpers'
  )
  const bytes = Buffer.from(attestationObject, 'base64url')
  const authData = decodeAttestationObject(new Uint8Array(bytes)).get('authData')
  return (
    credentialId.length >= idBytes.least &&
    credentialId.length <= idBytes.most &&
    isComplete(bytes, authData) &&
    // The library encodes the key again: a truncated key gets other lengths.
    Buffer.from(authData).includes(Buffer.from(publicKey)) &&
    isUsable(keyOf(decodeCredentialPublicKey(new Uint8Array(publicKey))))
  )
}

/** The decoder accepts a truncated byte string; the length before it shows that bytes are missing. */
function isComplete(object: Buffer, authData: Uint8Array): boolean {
  const { length } = authData
  const heads = [
    [0x58, length],
    [0x59, length >> 8, length & 255],
    [0x5a, 0, 0, length >> 8, length & 255],
  ]
  const before = object.subarray(0, object.indexOf(authData))
  return heads.some(head => before.subarray(-head.length).equals(Buffer.from(head)))
}

/** The key types of our three algorithms (RFC 9053 and 8230), by the labels of COSE. */
function keyOf(cose: { get(label: number): unknown }): JsonWebKey | null {
  const [type, algorithm, curve] = [1, 3, -1].map(label => cose.get(label))
  const part = (label: number) => {
    const value = cose.get(label)
    return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : ''
  }
  if (algorithm === -7 && type === 2 && curve === 1)
    return { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) }
  if (algorithm === -8 && type === 1 && curve === 6) return { kty: 'OKP', crv: 'Ed25519', x: part(-2) }
  if (algorithm === -257 && type === 3) return { kty: 'RSA', n: part(-1), e: part(-2) }
  return null
}

function isUsable(jwk: JsonWebKey | null): boolean {
  if (!jwk) return false
  let key: KeyObject
  try {
    key = createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return false // a point that is not on its curve, or a part that is missing
  }
  const { modulusLength = 2048, publicExponent = 65_537n } = key.asymmetricKeyDetails ?? {}
  return modulusLength >= 2048 && publicExponent % 2n === 1n && publicExponent > 1n
}
