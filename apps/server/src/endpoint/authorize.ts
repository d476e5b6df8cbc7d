import type { Endpoint } from '@plinth/contract'
import { mustSetUpSecondFactor, reachesStage, stageOf } from '@plinth/contract/access'
import { planToBuy } from '@plinth/contract/plans'
import { grants } from '@plinth/contract/roles'
import type { Actor, AuthedContext, Context } from '../context.ts'
import { Refusal } from '../lib/refusal.ts'
import type { RateLimiter } from '../rate-limit/limiter.ts'
import type { FindActor } from './authenticate.ts'
import type { Credential } from './credentials.ts'

/** Checks session or key, permission, support access, second factor and account stage, in this order. */
export async function authorize(
  server: { findActor: FindActor; limits: RateLimiter },
  ctx: Context,
  endpoint: Endpoint,
  credential: Credential | null,
): Promise<AuthedContext> {
  const actor =
    credential?.kind === 'key' ? await findKeyActor(server, endpoint, credential) : await ctx.identify()
  if (!actor) throw new Refusal('session_required')
  if (endpoint.needs !== 'public' && !grants(actor.permission, endpoint.needs))
    throw new Refusal('permission_required')
  if (actor.impersonator_id && !(endpoint.support ?? endpoint.method === 'GET'))
    throw new Refusal('support_not_allowed')
  if (mustSetUpSecondFactor(actor) && !endpoint.allowedBeforeSecondFactor)
    throw new Refusal('second_factor_missing')
  const stage = stageOf(actor)
  // API keys need an active account, also for calls that a user needs to activate it.
  if (!reachesStage(stage, actor.api_key ? 'active' : (endpoint.stage ?? 'active'))) {
    if (stage === 'session') throw new Refusal('verification_required')
    if (stage === 'verified') throw new Refusal('plan_required', { plan: planToBuy(null) })
    throw new Refusal('subscription_inactive', { plan: planToBuy(actor.plan) })
  }
  return { ...ctx, actor, within: (run, how) => ctx.withinAccount(actor.account_id, run, how) }
}

/** A key works for endpoints with one of its scopes, while its creator may still create keys. */
async function findKeyActor(
  { findActor, limits }: { findActor: FindActor; limits: RateLimiter },
  { scope }: Endpoint,
  credential: Credential,
): Promise<Actor> {
  const actor = await findActor(credential)
  if (!actor?.api_key) throw new Refusal('key_unknown')
  await limits.consume('calls:key', actor.api_key.id)
  if (!scope) throw new Refusal('key_not_allowed')
  if (!actor.api_key.scope.includes(scope)) throw new Refusal('scope_required', { values: { scope } })
  if (!grants(actor.permission, 'developer')) throw new Refusal('permission_required')
  return actor
}
