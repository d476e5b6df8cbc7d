import type { AuthedContext, Tx } from '../context.ts'
import { Refusal } from '../lib/refusal.ts'
import { markSessionFresh, removeSession } from './session-store.ts'
import { lockUser } from './user-store.ts'

/** Ends the calling session and returns what the session that replaces it inherits. */
export async function endCurrentSession({ actor }: AuthedContext, tx: Tx) {
  const inherited = await removeSession(tx, actor.session_id)
  if (!inherited) throw new Refusal('session_required')
  return inherited
}

/** After a step-up the session counts as just signed in. */
export const refreshCurrentSession = ({ actor, now }: AuthedContext, tx: Tx) =>
  markSessionFresh(tx, actor.session_id, now())

/** Locks the actor's row, which another of the user's links may have deleted since the session was read. */
export async function lockCurrentUser({ actor }: AuthedContext, tx: Tx) {
  const user = await lockUser(tx, actor.user_id)
  if (!user) throw new Refusal('session_required')
  return user
}
