import type { Context, Tx } from '../../context.ts'
import { newUser } from './service.ts'
import * as store from './store.ts'

/**
 * A user in an account that is there already. Without a password, for a door that has proven the address; or not proven,
 * with one that somebody else has chosen. The caller holds the address and the account, looks for room, and drops the
 * other claims to a proven address.
 */
export async function joinAccount(
  ctx: Context,
  tx: Tx,
  person: { email: string; first_name: string; last_name: string },
  { account_id, role }: { account_id: string; role: string },
  givenPassword: string | null = null,
) {
  const created_at = ctx.now()
  const user = newUser(ctx, person, givenPassword, created_at)
  await store.insertUser(
    tx,
    givenPassword === null ? { ...user, verified_at: created_at } : { ...user, password_given: true },
  )
  await store.insertMembership(tx, { account_id, user_id: user.id, role, created_at })
  return user
}

/** A user who is here already, in one more account. The caller holds both and looks for room. */
export const addMember = (ctx: Context, tx: Tx, row: { account_id: string; user_id: string; role: string }) =>
  store.insertMembership(tx, { ...row, created_at: ctx.now() })
