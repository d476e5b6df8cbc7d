import type { AuthedContext, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './store.ts'

export async function requireConnection(ctx: AuthedContext, tx: Tx) {
  const connection = await store.findConnection(tx, ctx.actor.account_id)
  if (!connection) throw new Refusal('sso_not_set_up')
  return connection
}

/**
 * Locks every member's row in order, then the account, then the connection. Sign-ins in progress have finished, so
 * their sessions are found; later ones see the change.
 */
export async function lockConnection(tx: Tx, accountId: string) {
  await store.lockMembers(tx, accountId)
  await lockAccount(tx, accountId)
  return store.lockConnection(tx, accountId)
}
