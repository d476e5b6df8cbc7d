import type { AuthedContext, Context, Tx } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type AuditEvent, audit } from '../audit/service.ts'
import * as links from './link-store.ts'
import { hasAnotherWayIn } from './rules.ts'
import * as store from './store.ts'

/** What other features need of sessions and passwords when they change what guards a user. */

/** Ends the session that asks, and answers what the one in its place takes over. */
export async function takeOverSession({ actor }: AuthedContext, tx: Tx) {
  const inherited = await store.removeSession(tx, actor.session_id)
  if (!inherited) throw new Refusal('session_required')
  return inherited
}

/** Signed out everywhere, and no sign-in is left half done. */
export const endSessions = (tx: Tx, userId: string) => links.removeAllSessions(tx, userId)

/** Signed out everywhere but here, and no sign-in is left half done. */
export const endOtherSessions = (tx: Tx, userId: string, keep: string) =>
  links.removeOtherSessions(tx, userId, keep)

/** After a way in was taken away: refuses when it was the last one. Magic links don't count. */
export async function keepAWayIn(tx: Tx, user: { id: string; password_hash: string | null }) {
  const left = { has_password: user.password_hash !== null, ...(await store.countWaysIn(tx, user.id)) }
  if (!hasAnotherWayIn(left)) throw new Refusal('last_way_in')
}

/** From now on a password comes by mail alone. */
export const dropPassword = (tx: Tx, userId: string) => links.removePassword(tx, userId)

export const accountsOf = (tx: Tx, userId: string) => links.findAccounts(tx, userId)

/** What guards somebody guards every account they can enter: a change of it is in the log of each (T-88). */
export async function auditPerson(
  ctx: Context,
  tx: Tx,
  userId: string,
  { action, target = userId, metadata = {} }: Pick<AuditEvent, 'action' | 'metadata'> & { target?: string },
) {
  for (const { id: account_id } of await accountsOf(tx, userId))
    await audit(ctx, tx, {
      account_id,
      user_id: userId,
      action,
      target,
      metadata,
      network: ctx.request.network,
    })
}

/** Whose proven address it is. Without the address held it may be another's a moment later. */
export const addressHolder = (tx: Tx, email: string) => store.findVerifiedByEmail(tx, email)

/** A user's row, held until the transaction ends; nothing when they are gone. */
export const holdUser = (tx: Tx, userId: string) => store.lockUser(tx, userId)

/** Whom a mail about their own account goes to. */
export const personOf = (tx: Tx, userId: string) => store.findPerson(tx, userId)

/** Where a sign-in touches a row of the user's before it opens the session: the user's row comes first, everywhere. */
export const shareUser = (tx: Tx, userId: string) => store.shareUser(tx, userId)
