import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'
import { invariant } from './invariant.ts'

/** 256 random bits as text: session tokens, mailed links. */
export const newToken = () => randomBytes(32).toString('base64url')
/** The stored form of a token. A random token needs no salt and no slow hash. */
export const hashToken = (token: string) => hash('sha256', token, 'buffer')

/** Bytes of a GCM tag. Node also accepts shorter ones, which are easier to forge. */
const authTagLength = 16

export type Encrypter = {
  /** Names of the keys, as sealed texts begin with them: the one that seals, then the earlier ones. */
  keyIds: string[]
  /** @param bound what the text belongs to; it opens only with the same words */
  encrypt(text: string, bound: string): string
  decrypt(sealed: string, bound: string): string
  /**
   * Keyed digests, for comparing texts that may hold a password without keeping anything to guess against. The first
   * one is to be kept; a kept one is among them while its secret is known.
   */
  digests(text: string): [Buffer, ...Buffer[]]
}

/**
 * AES-256-GCM with keys derived from the application's secrets. The first one encrypts, all decrypt, so that a secret
 * can be rotated.
 */
export function makeEncrypter(secrets: string[]): Encrypter {
  const keys = secrets.map(secret => Buffer.from(hkdfSync('sha256', secret, '', 'plinth-seal-v1', 32)))
  const ids = keys.map(key => hash('sha256', key).slice(0, 8))
  const digestKeys = secrets.map(secret =>
    Buffer.from(hkdfSync('sha256', secret, '', 'plinth-digest-v1', 32)),
  )
  return {
    keyIds: ids,
    digests(text) {
      const [newest, ...older] = digestKeys.map(key => createHmac('sha256', key).update(text).digest())
      return [invariant(newest, 'a secret'), ...older]
    },
    encrypt(text, bound) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', invariant(keys[0], 'a key'), nonce, {
        authTagLength,
      }).setAAD(Buffer.from(bound))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return [
        ids[0],
        nonce.toString('base64url'),
        Buffer.concat([body, cipher.getAuthTag()]).toString('base64url'),
      ].join('.')
    },
    decrypt(sealed, bound) {
      const [id = '', nonce = '', rest = ''] = sealed.split('.')
      const bytes = Buffer.from(rest, 'base64url')
      if (bytes.length < authTagLength) throw new Error('Sealed text is too short')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        invariant(keys[ids.indexOf(id)], 'the secret of this text, which is no longer known'),
        Buffer.from(nonce, 'base64url'),
        { authTagLength },
      )
      decipher.setAAD(Buffer.from(bound)).setAuthTag(bytes.subarray(-authTagLength))
      return Buffer.concat([decipher.update(bytes.subarray(0, -authTagLength)), decipher.final()]).toString(
        'utf8',
      )
    },
  }
}
