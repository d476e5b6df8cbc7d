import type { SignInReply } from '@plinth/contract'
import { limits } from '@plinth/contract/patterns'
import type { Context, Tx } from '../../../context.ts'
import { createAccount } from '../../../identity/create-account.ts'
import { createSession } from '../../../identity/create-session.ts'
import { lockEmail, removeUnverifiedUsers } from '../../../identity/email-claim-store.ts'
import { lockUser, shareLockUser } from '../../../identity/user-store.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { notifyIdentityChange, saveIdentity } from './identities.ts'
import { decideSignIn } from './rules.ts'
import { consumeSignInToken, type TokenContent } from './sign-in-token.ts'
import * as store from './store.ts'

/**
 * Signs in with the token of the callback. The token is used in the transaction that creates the session, so one of
 * any number of parallel calls succeeds.
 *
 * Locks: the identity, then the address, then the user's row.
 */
export function exchangeToken(ctx: Context, { token }: { token: string }): Promise<SignInReply> {
  return ctx.asSystem('social sign-in', async tx => {
    const said = await consumeSignInToken(ctx, tx, token)
    if (!said) throw new Refusal('link_expired')
    return signInWithIdentity(ctx, tx, said)
  })
}

async function signInWithIdentity(ctx: Context, tx: Tx, said: TokenContent): Promise<SignInReply> {
  const { profile, provider } = said
  const { email, email_verified } = profile
  await store.lockIdentity(tx, profile)
  const identity = (await store.findIdentity(tx, profile)) ?? null
  const found = identity || !email || !email_verified ? undefined : await lockEmail(tx, email)
  const proven = found && {
    id: found.id,
    provider_connected: await store.hasProvider(tx, found.id, provider),
    disconnected: await store.isDisconnected(tx, found.id, profile),
  }
  const entry = decideSignIn({ identity, email, email_verified, proven: proven ?? null })
  if ('refused' in entry) throw new Refusal(entry.refused)
  if (entry.as === 'known') {
    await shareLockUser(tx, entry.user_id)
    const used = identity && (await store.markUsed(tx, identity.id, { email, last_used_at: ctx.now() }))
    // The identity was just disconnected.
    if (!used) throw new Refusal('link_expired')
    return createSession(ctx, tx, { id: entry.user_id }, 'social')
  }
  if (entry.as === 'linked') return linkIdentity(ctx, tx, entry.user_id, said)
  return createSocialUser(ctx, tx, said)
}

/** Links the identity to the verified user of its address, unless the user has a second factor. */
async function linkIdentity(ctx: Context, tx: Tx, userId: string, said: TokenContent): Promise<SignInReply> {
  const user = await lockUser(tx, userId)
  if (!user?.verified_at) throw new Refusal('link_expired')
  const opened = await createSession(ctx, tx, user, 'social')
  if ('2fa_required' in opened) throw new Refusal('social_connect_first')
  await saveIdentity(ctx, tx, user, said)
  await notifyIdentityChange(ctx, tx, user, 'connected', said.provider)
  return opened
}

/** Creates a user. Unverified users of the address are removed with their accounts. */
async function createSocialUser(ctx: Context, tx: Tx, said: TokenContent): Promise<SignInReply> {
  const { email, first_name, last_name } = said.profile
  if (!email) throw new Refusal('social_email_missing')
  const user = await createAccount(ctx, tx, {
    email,
    first_name: first_name || nameIn(email),
    last_name,
  })
  await removeUnverifiedUsers(tx, user.email, user.id)
  await saveIdentity(ctx, tx, user, said)
  return createSession(ctx, tx, user, 'social')
}

/** The name of a user whose provider gives none. */
const nameIn = (email: string) => email.slice(0, email.lastIndexOf('@')).slice(0, limits.name)
