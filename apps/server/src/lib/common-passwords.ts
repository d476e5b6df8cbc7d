/**
 * Passwords that are tried first, in lower case: 49,000 from leaked lists and some of our own.
 *
 * The list is that of @zxcvbn-ts/language-common (MIT licence), which counted them in public leaks. It takes some
 * megabytes of memory, so it is read when the first new password comes.
 */
export const commonPasswords = (): Promise<ReadonlySet<string>> => {
  list ??= load()
  return list
}
let list: Promise<ReadonlySet<string>> | undefined

/** What German keyboards and habits add, and rows of keys that the list has only in part. */
const ours =
  `willkommen qwertz qwertzui qwertzuiop asdfghjkl yxcvbnm abcdef abcdefgh abcdefghi kennwort passwort1
  geheimnis anmelden hallowelt ichliebedich frühling sonnenschein fussball admin administrator changeit temporary
  initial default guest testing mypassword newpassword yourpassword superadmin`.split(/\s+/)

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set([...dictionary['passwords-common'], ...ours])
}
