import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'

/**
 * Creates a self-signed X.509 certificate: SAML metadata needs one. Node cannot write certificates, and the few DER
 * elements are smaller than a library.
 */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
/** UTCTime, with a two-digit year: required before 2050. */
const time = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().slice(2, 19).replaceAll(/[-:T]/g, '')}Z`))

const commonName = '550403'
const sha256WithRsa = '2a864886f70d01010b'
const version3 = der(0xa0, der(0x02, Buffer.from([2])))
const tenYears = 3_652 * 86_400_000

export function selfSigned(privateKey: KeyObject, name: string, from: Date): string {
  const algorithm = sequence(oid(sha256WithRsa), der(0x05))
  const subject = sequence(der(0x31, sequence(oid(commonName), der(0x0c, Buffer.from(name)))))
  // A first byte from 0x01 to 0x7f keeps the number positive and its length fixed.
  const serial = der(0x02, Buffer.from([0x01]), randomBytes(15))
  const content = sequence(
    version3,
    serial,
    algorithm,
    subject,
    sequence(time(from), time(new Date(from.getTime() + tenYears))),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, privateKey))
  const base64 = sequence(content, algorithm, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${(base64.match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`
}
