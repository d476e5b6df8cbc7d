import type { AuthedContext, Context } from '../../../context.ts'
import {
  type FlowSecrets,
  IdentityError,
  type Profile,
  type Provider,
} from '../../../integrations/oauth/identity-providers.ts'
import { hashToken } from '../../../lib/crypto.ts'
import { newId } from '../../../lib/ids.ts'
import { Refusal } from '../../../lib/refusal.ts'
import * as store from './store.ts'

/** How long a user may take at the provider. */
const flowMinutes = 10

export function providerOf(ctx: Context, id: string | undefined): Provider {
  const provider = ctx.integrations.identity.providers.find(one => one.id === id)
  if (!provider) throw new Refusal('provider_unknown')
  return provider
}

/** One callback URL for each provider, so that the reply of one can't be used as another's. */
const callbackOf = (ctx: Context, { id }: Provider) => `${ctx.config.publicUrl}/auth/social/${id}/callback`

/**
 * Starts a flow in this browser: a sign-in, or, with `by`, a connection to that user.
 * @returns the URL of the provider
 */
export async function startFlow(
  ctx: Context,
  provider: Provider,
  by?: AuthedContext['actor'],
): Promise<string> {
  const { url, secrets } = await ctx.integrations.identity
    .begin(provider, callbackOf(ctx, provider))
    .catch(error => refuse(ctx, provider, error))
  const created_at = ctx.now()
  const id = newId(created_at.getTime())
  const flow = {
    id,
    state_hash: hashToken(secrets.state),
    browser: ctx.flow.ensure(),
    provider: provider.id,
    issuer: provider.issuer,
    user_id: by?.user_id ?? null,
    session_id: by?.session_id ?? null,
    sealed: ctx.encrypter.encrypt(JSON.stringify(secrets), socialFlowBinding(id)),
    created_at,
    expires_at: new Date(created_at.getTime() + flowMinutes * 60_000),
  }
  await ctx.asSystem('start social sign-in', tx => store.insertFlow(tx, flow))
  return url
}

/** Uses the flow of the callback, whatever the result. */
export async function consumeFlow(ctx: Context, provider: Provider, query: URLSearchParams) {
  const browser = ctx.flow.known()
  const [state, ...more] = query.getAll('state')
  if (!browser || !state || more.length > 0) return null
  const taken = await ctx.asSystem('end social sign-in', tx =>
    store.consumeFlow(tx, {
      state_hash: hashToken(state),
      browser,
      provider: provider.id,
      issuer: provider.issuer,
      now: ctx.now(),
    }),
  )
  if (!taken) return null
  const secrets: FlowSecrets = JSON.parse(ctx.encrypter.decrypt(taken.sealed, socialFlowBinding(taken.id)))
  return { user_id: taken.user_id, browser, secrets }
}

export async function fetchProfile(
  ctx: Context,
  provider: Provider,
  query: URLSearchParams,
  secrets: FlowSecrets,
): Promise<Profile> {
  const answer = new URL(callbackOf(ctx, provider))
  answer.search = query.toString()
  return ctx.integrations.identity
    .finish(provider, answer, secrets)
    .catch(error => refuse(ctx, provider, error))
}

/** The library's errors contain whole replies with tokens, so only name, code and message are logged. */
function refuse(ctx: Context, { id }: Provider, error: unknown): never {
  if (!(error instanceof IdentityError)) throw error
  if (error.reason === 'failed')
    ctx.log.warn({ provider: id, err: error.cause }, 'an identity provider failed')
  throw new Refusal(error.reason === 'denied' ? 'social_denied' : 'social_failed')
}

/** Binds the encrypted secrets to their flow. */
export const socialFlowBinding = (id: string) => `social flow ${id}`
