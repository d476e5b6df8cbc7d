import { generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto'
import { promisify } from 'node:util'

/** Both are PEM. Encrypt the private key before storing it. */
export type ServiceKey = { privateKey: string; certificate: string }

const makePair = promisify(generateKeyPair)

/** Creates a key that signs our requests, with a self-signed certificate, which providers expect. */
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

/** A minimal X.509 version 3 certificate, written by hand to avoid a dependency. */
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
    // Starts with 0x40 to 0x7f, so that the serial number is positive without a leading zero byte.
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

/** UTCTime until 2049, then GeneralizedTime, as X.509 requires. */
function time(date: Date): Buffer {
  const text = `${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`
  return date.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}
