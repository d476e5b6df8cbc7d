import type { AuthedContext, Context } from '../../../context.ts'
import { Refusal } from '../../../lib/refusal.ts'
import { connectIdentity, mayConnect } from './identities.ts'
import { beginFlow, providerOf, readProfile, takeFlow } from './oauth-state.ts'
import { handOver } from './sign-in-token.ts'

/**
 * A page elsewhere may lead here but not begin: its visitor would be signed in without having asked for it (T-05). Such
 * a visit gets our page, where a click begins.
 * @returns the provider's page
 */
export async function beginSignIn(
  ctx: Context,
  provider: string | undefined,
  { fromElsewhere }: { fromElsewhere: boolean },
): Promise<string> {
  return fromElsewhere ? '/login' : beginFlow(ctx, providerOf(ctx, provider))
}

/** A page load carries no session token, so this call answers where to go instead of going there. */
export async function beginConnect(
  ctx: AuthedContext,
  { provider: id, ...proof }: { provider: string; password?: string; code?: string },
) {
  const provider = providerOf(ctx, id)
  await mayConnect(ctx, provider, proof)
  return { url: await beginFlow(ctx, provider, ctx.actor) }
}

/**
 * The browser is back from the provider: what that said is handed over to the page, or connected to the user who went.
 * @returns where the browser goes
 */
export async function comeBack(
  ctx: Context,
  id: string | undefined,
  query: URLSearchParams,
): Promise<string> {
  const provider = providerOf(ctx, id)
  const flow = await takeFlow(ctx, provider, query)
  if (!flow) throw new Refusal('social_expired')
  const { user_id, browser, secrets } = flow
  try {
    const profile = await readProfile(ctx, provider, query, secrets)
    if (!user_id) return await handOver(ctx, browser, { provider: provider.id, profile })
    await connectIdentity(ctx, provider, user_id, profile)
    return `/account/profile?connected=${provider.id}`
  } catch (error) {
    // Who is signed in goes back to where they began; who cancelled can start again with the same provider.
    if (user_id && error instanceof Refusal) return `/account/profile?error=${error.code}`
    if (error instanceof Refusal && error.code === 'social_denied')
      return `/login?error=${error.code}&provider=${provider.id}`
    throw error
  }
}
