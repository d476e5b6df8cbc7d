import type { SignedIn } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { insertEvent } from './store.ts'

export type ProductEvent = { name: string; metadata?: Record<string, string | number | boolean | null> }

/** Records a product event of the actor's account. */
export async function track(ctx: SignedIn, { name, metadata = {} }: ProductEvent) {
  const { account_id, user_id } = ctx.actor
  const created_at = ctx.now()
  await ctx.within(tx =>
    insertEvent(tx, { id: newId(created_at.getTime()), account_id, user_id, name, metadata, created_at }),
  )
  return {}
}
