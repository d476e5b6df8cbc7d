import { commonPasswords } from '../lib/common-passwords.ts'
import { Refusal } from '../lib/refusal.ts'
import { type About, whyNotPassword } from './password-rules.ts'

/**
 * Whatever sets a password asks here first. Length and the special character were checked with the rest of the call;
 * this refuses what is easily guessed: common, leaked, or made of the person's own words.
 */
export async function checkNewPassword(password: string, about: About, field = 'password') {
  const reason = whyNotPassword(password, about, await commonPasswords())
  if (reason) throw new Refusal(reason, { field })
}
