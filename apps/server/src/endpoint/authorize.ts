import type { Endpoint } from '@plinth/contract'
import { mustSetUpSecondFactor, reachesStage, stageOf } from '@plinth/contract/access'
import { planToBuy } from '@plinth/contract/plans'
import { grants } from '@plinth/contract/roles'
import type { Actor, AuthedContext, Context } from '../context.ts'
import { Refusal } from '../lib/refusal.ts'
import type { RateLimiter } from '../rate-limit/limiter.ts'
import type { FindActor } from './authenticate.ts'
import type { Credential } from './credentials.ts'

/** Lets a session or a key in, or says why not: in this order, so that an answer tells no more than it must. */
export async function admit(
  server: { findActor: FindActor; limits: RateLimiter },
  ctx: Context,
  endpoint: Endpoint,
  shown: Credential | null,
): Promise<AuthedContext> {
  const actor = shown?.kind === 'key' ? await keyHolder(server, endpoint, shown) : await ctx.identify()
  if (!actor) throw new Refusal('session_required')
  if (endpoint.needs !== 'public' && !grants(actor.permission, endpoint.needs))
    throw new Refusal('permission_required')
  if (actor.impersonator_id && !(endpoint.support ?? endpoint.method === 'GET'))
    throw new Refusal('support_not_allowed')
  if (mustSetUpSecondFactor(actor) && !endpoint.allowedBeforeSecondFactor)
    throw new Refusal('second_factor_missing')
  const stage = stageOf(actor)
  // A key works while the account is in good standing, also where a person would still get in to put it right.
  if (!reachesStage(stage, actor.api_key ? 'active' : (endpoint.stage ?? 'active'))) {
    if (stage === 'session') throw new Refusal('verification_required')
    if (stage === 'verified') throw new Refusal('plan_required', { plan: planToBuy(null) })
    throw new Refusal('subscription_inactive', { plan: planToBuy(actor.plan) })
  }
  return { ...ctx, actor, within: (run, how) => ctx.withinAccount(actor.account_id, run, how) }
}

/** A key does what its scopes say, where a scope is asked for, while its maker could make it today (T-39). */
async function keyHolder(
  { findActor, limits }: { findActor: FindActor; limits: RateLimiter },
  { scope }: Endpoint,
  shown: Credential,
): Promise<Actor> {
  const actor = await findActor(shown)
  if (!actor?.api_key) throw new Refusal('key_unknown')
  await limits.consume('calls:key', actor.api_key.id)
  if (!scope) throw new Refusal('key_not_allowed')
  if (!actor.api_key.scope.includes(scope)) throw new Refusal('scope_required', { values: { scope } })
  if (!grants(actor.permission, 'developer')) throw new Refusal('permission_required')
  return actor
}
