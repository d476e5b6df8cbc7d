import type { SessionUser } from '@plinth/contract'
import type { Context, Tx } from '../../context.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { must } from '../../lib/must.ts'
import { toSessionUser } from './session-user.ts'
import * as store from './store.ts'

/** A session ends 30 days after it began, and 7 days after its last use (the look-up checks that). */
const absoluteDays = 30

export type Method = 'sign_up' | 'password' | 'verification' | 'invite' | 'switch'

/** What a session takes over from the one it replaces: a new token is no new sign-in, and no longer life. */
type Inherited = { authenticated_at: Date; expires_at: Date }

/**
 * The only writer of sessions: every door ends here.
 * @param options.wanted the account to open; the user's default one otherwise
 * @param options.inherited from the session this one replaces
 * @returns the session user with the token, which exists nowhere else in clear
 */
export async function createSession(
  ctx: Context,
  tx: Tx,
  user: { id: string },
  method: Method,
  { wanted = null, inherited }: { wanted?: string | null; inherited?: Inherited } = {},
): Promise<SessionUser & { token: string }> {
  const now = ctx.now()
  const token = newToken()
  const account_id = must(await store.findOpening(tx, user.id, wanted), `an account of user ${user.id}`)
  const token_hash = hashToken(token)
  await store.insertSession(tx, {
    id: newId(now.getTime()),
    token_hash,
    user_id: user.id,
    account_id,
    method,
    user_agent: ctx.request.userAgent,
    network: ctx.request.network,
    now,
    authenticated_at: inherited?.authenticated_at ?? now,
    expires_at: inherited?.expires_at ?? new Date(now.getTime() + absoluteDays * 86_400_000),
  })
  const actor = must(await store.findActorBy(tx, token_hash, now), 'the session just written')
  return { ...toSessionUser(actor), token }
}
