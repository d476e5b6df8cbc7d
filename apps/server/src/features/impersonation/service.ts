import type { AuthedContext, Services } from '../../context.ts'
import { recordAudit } from '../../identity/audit.ts'
import { createSession } from '../../identity/create-session.ts'
import { supportMinutes } from '../../identity/session-user.ts'
import { demandProof } from '../../identity/step-up.ts'
import { shareLockUser } from '../../identity/user-store.ts'
import { hashToken, newToken } from '../../lib/crypto.ts'
import { newId } from '../../lib/ids.ts'
import { Refusal } from '../../lib/refusal.ts'
import * as store from './store.ts'

type Wanted = { user: string; account?: string }

/** Creates a support link for a master with a second factor. Each link needs a step-up. */
export async function requestSupportLink(
  ctx: AuthedContext,
  { email, account, ...proof }: { email: string; account?: string; password?: string; code?: string },
) {
  await demandProof(ctx, proof)
  return createSupportLink(ctx, { master: ctx.actor.email, user: email, account })
}

/**
 * Creates a link with which one master may act as a user for half an hour: once, and only with the user's consent. On
 * the command line the caller names the master.
 * @param wanted.account the user's account to open; default: the user's default account
 */
export async function createSupportLink(
  services: Services,
  { master, user, account }: Wanted & { master: string },
) {
  const now = services.now()
  return services.asSystem('make an impersonation link', async tx => {
    const who = await store.findMaster(tx, master)
    if (!who) throw new Refusal('permission_required')
    if (!who.second_factor_at) throw new Refusal('second_factor_missing')
    const targets = await store.findTargets(tx, user)
    const target = targets.find(({ account_id }) => !account || account_id === account)
    if (!target) throw new Refusal('user_unknown', { field: 'email' })
    // Masters can't be impersonated, whatever they consent to.
    if (!target.support_enabled || target.master_id)
      throw new Refusal('support_not_enabled', { field: 'email' })
    const token = newToken()
    const expires_at = minutesAfter(now, supportMinutes)
    await store.insertImpersonation(tx, {
      id: newId(now.getTime()),
      token_hash: hashToken(token),
      master_id: who.id,
      user_id: target.user_id,
      account_id: target.account_id,
      created_at: now,
      expires_at,
    })
    await recordAudit(services, tx, {
      account_id: target.account_id,
      user_id: who.id,
      action: 'support.link_made',
      target: target.user_id,
      metadata: { support: master, user },
      network: '',
    })
    return {
      url: `${services.config.publicUrl}/signin/impersonate?token=${token}`,
      expires_at: expires_at.toISOString(),
    }
  })
}

/**
 * Opens the session of a link. Requires the master it was created for, a second factor, and the user's consent.
 * Records both names in the account's audit log and mails the user.
 */
export async function startImpersonation(ctx: AuthedContext, { token }: { token: string }) {
  const { actor } = ctx
  return ctx.asSystem('start an impersonation', async tx => {
    const now = ctx.now()
    const about = await store.findImpersonated(tx, hashToken(token))
    // Withdrawing the consent locks the row, so one of the two calls sees the other.
    if (about) await shareLockUser(tx, about)
    const link = await store.consumeImpersonation(tx, {
      token_hash: hashToken(token),
      master_id: actor.user_id,
      now,
    })
    if (!link) throw new Refusal('link_expired')
    const { user_id, account_id, email } = link
    await recordAudit(ctx, tx, {
      account_id,
      user_id: actor.user_id,
      action: 'support.session_began',
      target: user_id,
      metadata: { support: actor.email, user: email },
      network: ctx.request.network,
    })
    await ctx.enqueueMail(tx, {
      kind: 'support_session',
      to: email,
      locale: link.locale,
      data: {
        name: link.first_name,
        minutes: supportMinutes,
        url: `${ctx.config.publicUrl}/account/profile`,
      },
    })
    return createSession(ctx, tx, { id: user_id }, 'impersonation', {
      wanted: account_id,
      impersonation: { by: actor.user_id, until: minutesAfter(now, supportMinutes) },
    })
  })
}

const minutesAfter = (time: Date, minutes: number) => new Date(time.getTime() + minutes * 60_000)
