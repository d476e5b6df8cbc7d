import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** PEM both. The key is a secret: sealed before it is stored. */
export type ServiceKey = { privateKey: string; certificate: string }

const makePair = promisify(generateKeyPair)

/** A new key for signing our requests, in a certificate that signs itself: providers want one to carry the key. */
export async function makeServiceKey({
  name,
  now,
  bits = 3072,
  days = 3 * 365,
}: {
  name: string
  now: Date
  bits?: number
  days?: number
}): Promise<ServiceKey> {
  const { privateKey, publicKey } = await makePair('rsa', { modulusLength: bits })
  const der = certificateOf({
    name,
    privateKey,
    publicKey,
    from: now,
    to: new Date(now.getTime() + days * 86_400_000),
  })
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** X.509 version 3 with nothing in it but a name, a time and a key: 30 lines instead of a library for every form. */
function certificateOf(parts: {
  name: string
  privateKey: KeyObject
  publicKey: KeyObject
  from: Date
  to: Date
}) {
  const { name, privateKey, publicKey, from, to } = parts
  const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b', 'hex'), der(0x05))
  const commonName = Buffer.from('0603550403', 'hex')
  const subject = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // Positive, and without a leading zero byte: 0x40 to 0x7f comes first.
    der(0x02, Buffer.concat([Buffer.from([0x40 | (randomBytes(1).readUInt8() & 0x3f)]), randomBytes(15)])),
    sha256WithRsa,
    subject,
    sequence(time(from), time(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  return sequence(body, sha256WithRsa, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)))
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** UTCTime up to 2049, as the standard wants, then GeneralizedTime. */
function time(date: Date): Buffer {
  const text = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}
