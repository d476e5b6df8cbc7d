import { isRole, type Role } from '@plinth/contract/roles'
import type { Tx } from '../../context.ts'
import * as store from './store.ts'

/**
 * Whoever changes an account's billing or adds people to it waits here, one at a time.
 * @param by whose id the transaction is going to write down (an invite, a key, a line in the log): the user's row comes
 *   before the account's, as in closing, unless the caller holds it already
 * @returns the account, or undefined when it is gone
 */
export async function lockAccount(tx: Tx, id: string, by: string | null = null) {
  if (by) await store.keepUser(tx, by)
  return store.lockAccount(tx, id)
}

/** How many people are in the account. Only under its lock is the count worth anything. */
export const countMembers = (tx: Tx, accountId: string): Promise<number> => store.countMembers(tx, accountId)

/** What somebody may do in the account now; null when they are not in it any more. */
export async function roleIn(tx: Tx, accountId: string, userId: string): Promise<Role | null> {
  const role = await store.findRole(tx, accountId, userId)
  return isRole(role) ? role : null
}
