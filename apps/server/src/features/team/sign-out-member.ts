import type { AuthedContext, Tx } from '../../context.ts'
import { recordAudit } from '../../identity/audit.ts'
import { removeSessions } from '../../identity/session-store.ts'
import { lockUser } from '../../identity/user-store.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findUserEmail, markSignedOut } from './member-store.ts'
import { lockMember } from './members.ts'

/** Ends a member's sessions in this account. A master ends all sessions of any user. */
export async function signOutMember(ctx: AuthedContext, { id }: { id: string }) {
  const { actor } = ctx
  return ctx.asSystem('sign a member out', async tx => {
    const master = actor.permission === 'master'
    const account_id = master ? null : actor.account_id
    const { email } = master ? await lockAnyUser(tx, id) : (await lockMember(ctx, tx, id)).target
    if (account_id) await markSignedOut(tx, { user_id: id, account_id }, ctx.now())
    const ended = await removeSessions(tx, { user_id: id, account_id })
    for (const account of new Set([actor.account_id, ...ended.map(session => session.account_id)]))
      await recordAudit(ctx, tx, {
        account_id: account,
        user_id: actor.user_id,
        action: 'member.signed_out',
        target: id,
        metadata: { email },
        network: ctx.request.network,
      })
    ctx.setMessage('team.signed_out')
    return { ended: ended.length }
  })
}

async function lockAnyUser(tx: Tx, id: string) {
  await lockUser(tx, id)
  const person = await findUserEmail(tx, id)
  if (!person) throw new Refusal('not_found')
  return person
}
