import type { Rating } from '@plinth/contract/endpoints/feedback'
import type { AuthedContext } from '../../context.ts'
import { newId } from '../../lib/ids.ts'
import { insertFeedback } from './store.ts'

/** Stores a rating and a comment. When the user leaves, the comment is deleted and the rating stays. */
export async function storeFeedback(
  ctx: AuthedContext,
  { rating, comment = '' }: { rating: Rating; comment?: string },
) {
  const { account_id, user_id } = ctx.actor
  await ctx.consume('feedback:user', user_id)
  const created_at = ctx.now()
  await ctx.within(async tx => {
    await insertFeedback(tx, {
      id: newId(created_at.getTime()),
      account_id,
      user_id,
      rating,
      comment: comment.trim(),
      created_at,
    })
    await ctx.saveIdempotentReply(tx, {})
  })
  return {}
}
