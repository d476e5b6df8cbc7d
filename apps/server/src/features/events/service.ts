import type { ProductEvent } from '@plinth/contract/endpoints/events'
import type { AuthedContext, Tx } from '../../context.ts'
import { refuseMissingReference } from '../../lib/constraint-errors.ts'
import { newId } from '../../lib/ids.ts'
import { consumeMonthlyUsage } from '../usage/allowance.ts'
import { insertEvents } from './store.ts'

/**
 * Records product events of the actor's account, all or none. Events sent with an API key count towards the plan's
 * monthly limit; events of the product's own pages have a rate limit per user.
 */
export async function trackEvents(ctx: AuthedContext, sent: ProductEvent | { events: ProductEvent[] }) {
  const { account_id, api_key } = ctx.actor
  const events = 'events' in sent ? sent.events : [sent]
  const created_at = ctx.now()
  // An event sent with an API key belongs to no user.
  const user_id = api_key ? null : ctx.actor.user_id
  if (user_id) await ctx.consume('event:user', user_id)
  const insert = async (tx: Tx) => {
    if (api_key) await consumeMonthlyUsage(ctx, tx, events.length)
    await insertEvents(
      tx,
      events.map(({ name, metadata }) => ({
        id: newId(created_at.getTime()),
        account_id,
        user_id,
        name,
        metadata: metadata ?? {},
        created_at,
      })),
    )
  }
  await ctx.within(insert).catch(refuseMissingReference(api_key ? 'key_unknown' : 'session_required'))
  return {}
}
