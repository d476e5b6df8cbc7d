import type { AuthedContext } from '../../context.ts'
import { isCustomerGone, isPaymentsError } from '../../integrations/stripe/payments.ts'
import { Refusal } from '../../lib/refusal.ts'
import { removeDeletedCustomer } from './sync/deleted-customer.ts'

/**
 * Runs a visitor's call with one deadline for all its requests to the provider. Removes a customer that was deleted
 * there and runs the call again; any other refusal of the provider becomes `payment_rejected`.
 */
export const withRequestDeadline = <T>(ctx: AuthedContext, call: () => Promise<T>): Promise<T> =>
  ctx.outside.payments.withRequestDeadline(() => orRejected(ctx, call))

async function orRejected<T>(ctx: AuthedContext, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    const { account_id } = ctx.actor
    if (isCustomerGone(error) && (await removeDeletedCustomer(ctx, account_id, { unknownToo: true })))
      return orRejected(ctx, call)
    if (!isPaymentsError(error, 'missing', 'rejected', 'conflict')) throw error
    ctx.log.error({ err: error }, 'the payment provider does not accept what was asked')
    throw new Refusal('payment_rejected')
  }
}
