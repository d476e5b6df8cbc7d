import type { Device } from '@plinth/contract'
import type { AuthedContext, Context, Tx } from '../../context.ts'
import { recordAudit } from '../../identity/audit.ts'
import { coarseNetwork, deviceOf } from '../../identity/device-labels.ts'
import { type EndedSession, removeSessions, type SessionScope } from '../../identity/session-store.ts'
import { isVouchedFor } from '../../identity/step-up.ts'
import { lockUser } from '../../identity/user-store.ts'
import { hashToken } from '../../lib/crypto.ts'
import { Refusal } from '../../lib/refusal.ts'
import * as store from './store.ts'

/** The user's sessions: this one first, then the most recently used. */
export async function listSessions(ctx: AuthedContext): Promise<Device[]> {
  const { actor } = ctx
  const now = ctx.now()
  const found = await ctx.asSystem('list sessions', tx => store.findLiveSessions(tx, scopeOf(ctx), now))
  return found
    .filter(session => now.getTime() - session.last_used_at.getTime() < session.idle_seconds * 1000)
    .map(({ id, user_agent, network, method, created_at, last_used_at }) => ({
      id,
      current: id === actor.session_id,
      ...deviceOf(user_agent),
      network: coarseNetwork(network),
      method,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at.toISOString(),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

export async function endSession(ctx: AuthedContext, { id }: { id: string }) {
  const { actor } = ctx
  await ctx.asSystem('end a session', async tx => {
    const sign_in = await store.findSignIn(tx, scopeOf(ctx), id)
    // A session of another user looks like none.
    if (!sign_in) throw new Refusal('not_found')
    // Waits for a parallel call that replaces the session, and ends the new one as well.
    await lockUser(tx, actor.user_id)
    await recordEndedSessions(ctx, tx, actor.user_id, await store.removeSignIn(tx, scopeOf(ctx), sign_in))
  })
  return {}
}

export async function endOtherSessions(ctx: AuthedContext) {
  const { actor } = ctx
  return ctx.asSystem('end other sessions', async tx => {
    await lockUser(tx, actor.user_id)
    const ended = await removeSessions(tx, scopeOf(ctx), actor.session_id)
    await recordEndedSessions(ctx, tx, actor.user_id, ended)
    return { ended: ended.length }
  })
}

/** The sessions the caller may see and end: their own; in an SSO session those in its account. */
const scopeOf = ({ actor }: AuthedContext): SessionScope => ({
  user_id: actor.user_id,
  account_id: isVouchedFor(actor) ? actor.account_id : null,
})

/**
 * Ends all sessions and second steps of the user: an attacker may have signed in more than once. The user signs in
 * again.
 */
export async function endSignInByLink(ctx: Context, { token }: { token: string }) {
  await ctx.asSystem('end a session by a mailed link', async tx => {
    const user_id = await store.findUserOfLink(tx, hashToken(token))
    // Waits for a sign-in in progress, which holds the user's row, so that its session is found.
    if (user_id) await lockUser(tx, user_id)
    const link = await store.consumeSignInLink(tx, hashToken(token), ctx.now())
    if (!link) throw new Refusal('link_expired')
    const ended = await removeSessions(tx, { user_id: link.user_id })
    // Browsers from before that sign-in stay known, so the next new one causes a mail again.
    const theirs = ended.filter(({ sign_in_id }) => sign_in_id === link.sign_in_id)
    await recordEndedSessions(ctx, tx, link.user_id, ended, theirs)
    await store.removeDevicesSince(tx, link.user_id, link.created_at)
  })
  return {}
}

/** Records each ended session and forgets the browsers of the `strange` ones. */
async function recordEndedSessions(
  ctx: Context,
  tx: Tx,
  userId: string,
  ended: EndedSession[],
  strange = ended,
) {
  const browsers = strange.map(({ browser_hash }) => browser_hash).filter(hash => hash !== null)
  const own = ctx.browser.known()
  await store.removeDevices(
    tx,
    userId,
    browsers.filter(hash => !own?.equals(hash)),
  )
  for (const { id, account_id } of ended)
    await recordAudit(ctx, tx, {
      account_id,
      user_id: userId,
      action: 'session.ended',
      target: id,
      network: ctx.request.network,
    })
}
