import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Letters and digits only, as Stripe's ids are. */
export const randomText = (length: number) =>
  Array.from(randomBytes(length), byte => alphabet[byte % alphabet.length]).join('')

export const newId = (prefix: string) => `${prefix}_${randomText(24)}`
