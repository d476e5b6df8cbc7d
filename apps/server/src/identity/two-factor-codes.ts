import { Secret, TOTP } from 'otpauth'

/** Wrong codes of one user in an hour, over all challenges, step-ups and the backup code. */
export const failuresPerHour = 20
export const triesPerChallenge = 5
/**
 * Wrong codes until a pending secret is deleted, so that a stolen session can't guess its way to a new token.
 */
export const triesPerSetUp = 10
export const pendingMinutes = 60

const hour = 3_600_000

/** Few authenticator apps support other parameters. */
const totp = (secret: string, label = '') =>
  new TOTP({
    issuer: 'Plinth',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
  })

/** RFC 4226 recommends 20 bytes, the size of the SHA-1 hash. */
export const secretOf = (bytes: Buffer): string => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32

/** The content of the QR code. */
export const secretUri = (secret: string, email: string): string => totp(secret, email).toString()

/**
 * The time step of a right code: the current one or a neighbour, because clocks differ. Null when the code is wrong,
 * or when a code of that step or a later one was used.
 */
export function stepOf(secret: string, code: string, now: Date, lastStep: number): number | null {
  const clock = totp(secret)
  const timestamp = now.getTime()
  const delta = clock.validate({ token: code, timestamp, window: 1 })
  const step = delta === null ? null : clock.counter({ timestamp }) + delta
  return step !== null && step > lastStep ? step : null
}

/** The failures of the last hour, and when that hour began. */
export function failuresNow(failures: number, since: Date | null, now: Date): { count: number; since: Date } {
  const counts = since !== null && now.getTime() - since.getTime() < hour
  return counts ? { count: failures, since } : { count: 0, since: now }
}

export const secondsUntilReset = (since: Date, now: Date): number =>
  Math.max(1, Math.ceil((since.getTime() + hour - now.getTime()) / 1000))

/** Without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const alike: Record<string, string> = { O: '0', I: '1', L: '1' }
const group = 4

/** 120 bits in six groups of four. */
export function backupCodeOf(bytes: Buffer): string {
  let bits = BigInt(`0x${bytes.toString('hex')}`)
  let code = ''
  for (let n = 0; n < (bytes.length * 8) / 5; n++) {
    code = alphabet.charAt(Number(bits & 31n)) + code
    bits >>= 5n
  }
  return code.match(new RegExp(`.{${group}}`, 'g'))?.join('-') ?? code
}

/**
 * A code for comparison: without spaces and hyphens, in capitals, with letters that look like digits replaced.
 */
export const plainCode = (typed: string): string =>
  typed
    .replace(/[\s\p{Cf}\p{Dash_Punctuation}]/gu, '')
    .toUpperCase()
    .replace(/[OIL]/g, letter => alike[letter] ?? letter)

export const isAppCode = (plain: string): boolean => /^\d{6}$/.test(plain)
