import type { AuthedContext } from '../../context.ts'
import { isCustomerGone, isPaymentsError } from '../../integrations/stripe/payments.ts'
import { Refusal } from '../../lib/refusal.ts'
import { removeDeletedCustomer } from './sync/deleted-customer.ts'

/**
 * Runs a user's call with one deadline for all its requests to the provider. When the customer was deleted
 * there, removes it and retries; maps other rejections to `payment_rejected`.
 */
export const withRequestDeadline = <T>(ctx: AuthedContext, call: () => Promise<T>): Promise<T> =>
  ctx.integrations.payments.withRequestDeadline(() => mapRejected(ctx, call))

async function mapRejected<T>(ctx: AuthedContext, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const { account_id } = ctx.actor
    if (isCustomerGone(error) && (await removeDeletedCustomer(ctx, account_id, { unknownToo: true })))
      return mapRejected(ctx, call)
    if (!isPaymentsError(error, 'missing', 'rejected', 'conflict')) throw error
    ctx.log.error({ err: error }, 'the payment provider rejected a request')
    throw new Refusal('payment_rejected')
  }
}
