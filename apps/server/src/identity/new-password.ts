import { commonPasswords } from '../lib/common-passwords.ts'
import { Refusal } from '../lib/refusal.ts'
import { type About, whyNotPassword } from './password-rules.ts'

/**
 * Every call that sets a password checks it here. The contract has checked length and special character; this refuses
 * passwords that are common, leaked, or made of the user's own words.
 */
export async function checkNewPassword(password: string, about: About, field = 'password') {
  const reason = whyNotPassword(password, about, await commonPasswords())
  if (reason) throw new Refusal(reason, { field })
}
