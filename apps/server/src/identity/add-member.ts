import type { Context, Tx } from '../context.ts'
import { insertMembership, insertUser } from './account-store.ts'
import { type NewPerson, newUser } from './create-account.ts'

/**
 * Creates a user as a member of an existing account. With a password that an admin chose the user is unverified; without
 * one the sign-in method has proven the address. The caller has locked address and account, checks the seats and removes
 * other unverified users of a proven address.
 */
export async function createMember(
  ctx: Context,
  tx: Tx,
  person: NewPerson,
  { account_id, role }: { account_id: string; role: string },
  givenPassword: string | null = null,
) {
  const created_at = ctx.now()
  const user = newUser(ctx, person, givenPassword, created_at)
  await insertUser(
    tx,
    givenPassword === null ? { ...user, verified_at: created_at } : { ...user, password_given: true },
  )
  await insertMembership(tx, { account_id, user_id: user.id, role, created_at })
  return user
}
