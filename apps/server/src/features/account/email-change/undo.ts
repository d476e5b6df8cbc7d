import type { Context } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'
import { lockEmail, removeUnverifiedUsers } from '../../../identity/email-claim-store.ts'
import { removeMailedTokens } from '../../../identity/mailed-token-store.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { lockUser, removePassword } from '../../../identity/user-store.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { revokeExposedKeys } from '../../api-keys/revoke-exposed-keys.ts'
import * as store from './store.ts'

/**
 * Undoes a change of address with the link mailed to the old one. Removes everything the attacker may have had or
 * added: sessions, password, mailed links, later changes, recent sign-in methods and exposed API keys. The user sets
 * a new password by mail.
 *
 * A second factor from before that sign-in stays on: a mailbox alone, maybe an abandoned one, must not open a user
 * with two factors.
 */
export async function undoEmailChange(ctx: Context, { token }: { token: string }) {
  await ctx.asSystem('undo a change of address', async tx => {
    const change = await store.findUndo(tx, hashToken(token), ctx.now())
    if (!change) throw new Refusal('link_expired')
    const known = await lockEmail(tx, change.old_email)
    const user = await lockUser(tx, change.user_id)
    // A new user has verified the old address since.
    if (!user || (known && known.id !== user.id)) throw new Refusal('link_expired')
    if (!(await store.consumeUndoLink(tx, change))) throw new Refusal('link_expired')
    await store.setEmail(tx, user.id, change.old_email)
    await removeUnverifiedUsers(tx, change.old_email, user.id)
    await removeSessions(tx, { user_id: user.id })
    await removeMailedTokens(tx, user.id)
    await removePassword(tx, user.id)
    await store.removeMethodsSince(tx, user.id, change.methods_added_since)
    const keys = await revokeExposedKeys(ctx, tx, user, change.methods_added_since)
    await store.removeSecondFactorSince(tx, user.id, change.sign_in_started_at ?? change.created_at)
    await recordUserAudit(ctx, tx, user.id, { action: 'email.change_undone' })
    await ctx.enqueueMail(tx, {
      kind: 'email_restored',
      to: change.old_email,
      locale: user.locale,
      data: { name: user.first_name, url: `${ctx.config.publicUrl}/forgotpassword`, keys },
    })
  })
  return {}
}
