import { limits } from '@plinth/contract/patterns'
import type { Context, Tx } from '../context.ts'
import { translate } from '../lib/i18n.ts'
import { newId } from '../lib/ids.ts'
import { insertAccount, insertMembership, insertUser } from './account-store.ts'

export type NewPerson = { email: string; first_name: string; last_name: string }

/** The row of a new user; the password is null for a sign-in method without one. */
export const newUser = (ctx: Context, person: NewPerson, password_hash: string | null, created_at: Date) => ({
  ...person,
  id: newId(created_at.getTime()),
  password_hash,
  locale: ctx.locale,
  created_at,
})

export const newAccount = (ctx: Context, first_name: string, created_at: Date) => ({
  id: newId(created_at.getTime()),
  name: translate(ctx.locale, 'accounts.default_name', { name: first_name }).slice(0, limits.account_name),
  created_at,
})

/**
 * Creates a verified user without a password, and an account of their own. The caller has locked the address and removes
 * its unverified users.
 */
export async function createAccount(ctx: Context, tx: Tx, person: NewPerson) {
  const created_at = ctx.now()
  const user = newUser(ctx, person, null, created_at)
  const account = newAccount(ctx, person.first_name, created_at)
  await insertUser(tx, { ...user, verified_at: created_at })
  await insertAccount(tx, account)
  await insertMembership(tx, { account_id: account.id, user_id: user.id, role: 'owner', created_at })
  return user
}
