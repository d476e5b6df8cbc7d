import { Secret, TOTP } from 'otpauth'

/** Wrong codes of one user in an hour, over every challenge, step-up and the backup code (security.md, T-15). */
export const failuresPerHour = 20
/** Wrong codes for one challenge. */
export const triesPerChallenge = 5
/** Wrong codes for a new secret until it is forgotten: a stolen session must not guess its way to a token (T-15). */
export const triesPerSetUp = 10
/** How long a new secret waits for its first code. */
export const pendingMinutes = 60

const hour = 3_600_000

/** Authenticator apps know these parameters and hardly any others. */
const totp = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Plinth',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  })

/** Random bytes as authenticator apps take them. RFC 4226 recommends 20, as many as the hash that they feed has. */
export const secretOf = (bytes: Buffer): string => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32

/** What the QR code says to the app. */
export const secretUri = (secret: string, email: string): string => totp(secret, email).toString()

/**
 * The time step that a code is right for: this one, the one before or the one after, for clocks that differ a little.
 * Null when the code is wrong, or for a step that a code was accepted for before (T-16).
 */
export function stepOf(secret: string, code: string, now: Date, lastStep: number): number | null {
  const clock = totp(secret)
  const timestamp = now.getTime()
  const delta = clock.validate({ token: code, timestamp, window: 1 })
  const step = delta === null ? null : clock.counter({ timestamp }) + delta
  return step !== null && step > lastStep ? step : null
}

/** Failures that still count, and since when. */
export function failuresNow(failures: number, since: Date | null, now: Date): { count: number; since: Date } {
  const counts = since !== null && now.getTime() - since.getTime() < hour
  return counts ? { count: failures, since } : { count: 0, since: now }
}

export const secondsUntilReset = (since: Date, now: Date): number =>
  Math.max(1, Math.ceil((since.getTime() + hour - now.getTime()) / 1000))

/** Letters and digits that can't be taken for one another. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const alike: Record<string, string> = { O: '0', I: '1', L: '1' }
const group = 4

/** 120 bits in six groups of four: too many to guess, few enough to write down. */
export function backupCodeOf(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`)
  let code = ''
  for (let n = 0; n < (bytes.length * 8) / 5; n++) {
    code = alphabet.charAt(Number(bits & 31n)) + code
    bits >>= 5n
  }
  return code.match(new RegExp(`.{${group}}`, 'g'))?.join('-') ?? code
}

/** A code as it is compared: no spaces or hyphens, capitals, and letters that look like digits read as such. */
export const plainCode = (typed: string): string =>
  typed
    .replace(/[\s\p{Cf}\p{Dash_Punctuation}]/gu, '')
    .toUpperCase()
    .replace(/[OIL]/g, letter => alike[letter] ?? letter)

export const isAppCode = (plain: string): boolean => /^\d{6}$/.test(plain)
