import type { AuthedContext, Context } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { checkConnect, connectIdentity } from './identities.ts'
import { consumeFlow, fetchProfile, providerOf, startFlow } from './oauth-state.ts'
import { createSignInToken } from './sign-in-token.ts'

/**
 * Starts a sign-in. A link on another site leads to our sign-in page instead, so that it can't sign a visitor in
 * unasked.
 * @returns the provider's page
 */
export async function startSocialSignIn(
  ctx: Context,
  provider: string | undefined,
  { fromElsewhere }: { fromElsewhere: boolean },
): Promise<string> {
  return fromElsewhere ? '/login' : startFlow(ctx, providerOf(ctx, provider))
}

/** A page load carries no session token, so this call returns the URL instead of redirecting. */
export async function startConnect(
  ctx: AuthedContext,
  { provider: id, ...proof }: { provider: string; password?: string; code?: string },
) {
  const provider = providerOf(ctx, id)
  await checkConnect(ctx, provider, proof)
  return { url: await startFlow(ctx, provider, ctx.actor) }
}

/**
 * The callback of the provider: creates a sign-in token for the page, or connects the identity to the user.
 * @returns the URL of the redirect
 */
export async function handleCallback(
  ctx: Context,
  id: string | undefined,
  query: URLSearchParams,
): Promise<string> {
  const provider = providerOf(ctx, id)
  const flow = await consumeFlow(ctx, provider, query)
  if (!flow) throw new Refusal('social_expired')
  const { user_id, browser, secrets } = flow
  try {
    const profile = await fetchProfile(ctx, provider, query, secrets)
    if (!user_id) return await createSignInToken(ctx, browser, { provider: provider.id, profile })
    await connectIdentity(ctx, provider, user_id, profile)
    return `/account/profile?connected=${provider.id}`
  } catch (error) {
    // A signed-in user returns to the profile; a user who cancelled can retry with the same provider.
    if (user_id && error instanceof Refusal) return `/account/profile?error=${error.code}`
    if (error instanceof Refusal && error.code === 'social_denied')
      return `/login?error=${error.code}&provider=${provider.id}`
    throw error
  }
}
