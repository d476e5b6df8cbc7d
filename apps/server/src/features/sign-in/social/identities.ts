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
  const rows = await ctx.asSystem('own identities', tx => store.listIdentities(tx, ctx.actor.user_id))
  return rows.map(({ created_at, last_used_at, ...row }) => ({
    ...row,
    name: nameOf(ctx, row.provider),
    connected_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  }))
}

/** A provider that is no longer set up is still somebody's identity. */
const nameOf = (ctx: Context, id: string) =>
  ctx.outside.identity.providers.find(one => one.id === id)?.name ?? id

/** Before somebody is sent to a provider to connect it. */
export async function mayConnect(
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

/** Connects who came back from the provider to the user who went there. */
export async function connectIdentity(ctx: Context, provider: Provider, userId: string, profile: Profile) {
  await ctx.asSystem('connect an identity', async tx => {
    await store.lockIdentity(tx, profile)
    const user = await lockUser(tx, userId)
    // An identity opens only what is proven to be somebody's (T-38).
    if (!user?.verified_at) throw new Refusal('social_expired')
    const owner = (await store.findIdentity(tx, profile)) ?? null
    const code = whyNotConnect(user, owner, await store.hasProvider(tx, userId, provider.id))
    if (code) throw new Refusal(code)
    await keepIdentity(ctx, tx, user, { provider: provider.id, profile })
    await tell(ctx, tx, user, 'connected', provider.id)
  })
}

/** Writes an identity: from now on it comes in as this user. */
export async function keepIdentity(
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

/** Takes a way in away, if there is another one left, and whoever came in by it out (security.md, V7.4.3). */
export async function disconnect(
  ctx: AuthedContext,
  id: string,
  proof: { password?: string; code?: string } = {},
) {
  await demandProof(ctx, proof)
  const { user_id, session_id } = ctx.actor
  await ctx.asSystem('disconnect an identity', async tx => {
    const user = await lockUser(tx, user_id)
    if (!user) throw new Refusal('session_required')
    // Sign-ins under way are over by now, and end here; those that come after find no identity.
    const removed = await store.removeIdentity(tx, user.id, id)
    if (!removed) throw new Refusal('not_found')
    await removeSessions(tx, { user_id: user.id }, session_id)
    await refuseLastMethod(tx, user)
    await tell(ctx, tx, user, 'disconnected', removed.provider)
  })
  return {}
}

/** A change of who may come in is in the log of each account it opens, and in the user's mail (T-88). */
export async function tell(
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
