import type { AuthedContext, Context, Tx } from '../../../context.ts'
import { recordUserAudit } from '../../../identity/audit.ts'
import { removeSessions } from '../../../identity/session-store.ts'
import { demandProof } from '../../../identity/step-up.ts'
import { lockUser } from '../../../identity/user-store.ts'
import type { Profile, Provider } from '../../../integrations/oauth/identity-providers.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { refuseLastMethod } from '../last-method.ts'
import { whyNotConnect } from './rules.ts'
import * as store from './store.ts'

export async function listIdentities(ctx: AuthedContext) {
  const rows = await ctx.asSystem('list identities', tx => store.listIdentities(tx, ctx.actor.user_id))
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    name: nameOf(ctx, row.provider),
    connected_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  }))
}

/** A provider that is no longer configured can still have identities. */
const nameOf = (ctx: Context, id: string) =>
  ctx.integrations.identity.providers.find(one => one.id === id)?.name ?? id

/** Checks that the user may connect a provider, before the redirect. */
export async function checkConnect(
  ctx: AuthedContext,
  provider: Provider,
  proof: { password?: string; code?: string },
) {
  await demandProof(ctx, proof)
  const connected = await ctx.asSystem('connect an identity', tx =>
    store.hasProvider(tx, ctx.actor.user_id, provider.id),
  )
  if (connected) throw new Refusal('provider_connected')
}

/** Connects the identity to the user who started the flow. */
export async function connectIdentity(ctx: Context, provider: Provider, userId: string, profile: Profile) {
  await ctx.asSystem('connect an identity', async tx => {
    await store.lockIdentity(tx, profile)
    const user = await lockUser(tx, userId)
    // Only a verified user can have identities.
    if (!user?.verified_at) throw new Refusal('social_expired')
    const owner = (await store.findIdentity(tx, profile)) ?? null
    const code = whyNotConnect(user, owner, await store.hasProvider(tx, userId, provider.id))
    if (code) throw new Refusal(code)
    await saveIdentity(ctx, tx, user, { provider: provider.id, profile })
    await notifyIdentityChange(ctx, tx, user, 'connected', provider.id)
  })
}

export async function saveIdentity(
  ctx: Context,
  tx: Tx,
  user: { id: string },
  { provider, profile }: { provider: Provider['id']; profile: Profile },
) {
  const now = ctx.now()
  await store.insertIdentity(tx, {
    id: newId(now.getTime()),
    user_id: user.id,
    provider,
    issuer: profile.issuer,
    subject: profile.subject,
    email: profile.email,
    created_at: now,
    last_used_at: now,
  })
}

/** Disconnects an identity, unless it is the last sign-in method, and ends the other sessions. */
export async function disconnectIdentity(
  ctx: AuthedContext,
  id: string,
  proof: { password?: string; code?: string } = {},
) {
  await demandProof(ctx, proof)
  const { user_id, session_id } = ctx.actor
  await ctx.asSystem('disconnect an identity', async tx => {
    const user = await lockUser(tx, user_id)
    if (!user) throw new Refusal('session_required')
    // A parallel sign-in with this identity has finished, so its session ends here, or it finds no identity.
    const removed = await store.removeIdentity(tx, user.id, id)
    if (!removed) throw new Refusal('not_found')
    await removeSessions(tx, { user_id: user.id }, session_id)
    await refuseLastMethod(tx, user)
    await notifyIdentityChange(ctx, tx, user, 'disconnected', removed.provider)
  })
  return {}
}

/** Records the change in the audit log of each of the user's accounts and mails the user. */
export async function notifyIdentityChange(
  ctx: Context,
  tx: Tx,
  user: { id: string; email: string; first_name: string; locale: string },
  what: 'connected' | 'disconnected',
  provider: string,
) {
  await recordUserAudit(ctx, tx, user.id, { action: `identity.${what}`, target: provider })
  await ctx.enqueueMail(tx, {
    kind: `identity_${what}`,
    to: user.email,
    locale: user.locale,
    data: {
      name: user.first_name,
      provider: nameOf(ctx, provider),
      url: `${ctx.config.publicUrl}/account/profile`,
    },
  })
}
