import type { Context, Tx } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { defaultName, newUser } from './service.ts'
import * as store from './store.ts'

/**
 * A user without a password and an account of their own, for a door that has proven the address. The caller holds the
 * address and drops the other claims to it.
 */
export async function openOwnAccount(
  ctx: Context,
  tx: Tx,
  person: { email: string; first_name: string; last_name: string },
) {
  const created_at = ctx.now()
  const user = newUser(ctx, person, null, created_at)
  const account = {
    id: newId(created_at.getTime()),
    name: defaultName(ctx.locale, person.first_name),
    created_at,
  }
  await store.insertUser(tx, { ...user, verified_at: created_at })
  await store.insertAccount(tx, account)
  await store.insertMembership(tx, { account_id: account.id, user_id: user.id, role: 'owner', created_at })
  return user
}
