/**
 * Field rules, used by the web's forms and the server's schemas. All regular expressions run in linear time; callers
 * check the length first.
 */
export const limits = {
  name: 100,
  email: 254,
  password_min: 8,
  /** Limits the cost of hashing. */
  password_max: 256,
  account_name: 100,
  token: 200,
  invite_emails: 20,
  help_message: 5000,
  feedback_comment: 2000,
  /** SAML metadata. A large AD FS server publishes more than 100 kB. */
  metadata_bytes: 256 * 1024,
  avatar_bytes: 5 * 1024 * 1024,
} as const

/** Lifetime of mailed links. */
export const linkMinutes = { magic: 10, reset: 30 } as const

export const isNumber = (value: string) => /^-?\d+(?:\.\d+)?$/.test(value)

/** Optional plus, 7 to 15 digits with optional single spaces. */
export function isPhone(value: string): boolean {
  if (value.length > 32 || !/^\+?\d(?: ?\d)*$/.test(value)) return false
  const digits = value.replace(/\D/g, '').length
  return digits >= 7 && digits <= 15
}

/** Whether the text is an ASCII address. `normalizeEmail` converts other spellings. */
export function isEmail(value: string): boolean {
  if (value.length > limits.email) return false
  const at = value.lastIndexOf('@')
  if (at < 1 || at > 64) return false
  const local = value.slice(0, at)
  const domain = value.slice(at + 1)
  return /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i.test(local) && isHost(domain)
}

/** Optional scheme (http, https, ftp, smtp), optional www, domain with a top-level domain, optional path and query. */
export function isUrl(value: string): boolean {
  if (value.length > 2048) return false
  const rest = value.replace(/^(?:https?|ftp|smtp):\/\//i, '').replace(/^www\./i, '')
  const end = rest.search(/[/?]/)
  const host = end < 0 ? rest : rest.slice(0, end)
  return isHost(host) && !/\s/.test(rest)
}

/** ASCII labels with a top-level domain. */
export function isHost(host: string): boolean {
  const labels = host.split('.')
  const top = labels.at(-1) ?? ''
  return (
    labels.length > 1 &&
    (/^[a-z]{2,63}$/i.test(top) || /^xn--[a-z0-9-]{1,59}$/i.test(top)) &&
    labels.every(label => /^[a-z0-9-]{1,63}$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'))
  )
}

/** Whether there is a character that is neither letter, digit nor space. */
export const hasSpecialCharacter = (value: string) => /[^\p{L}\p{N}\s]/u.test(value)
