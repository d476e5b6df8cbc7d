import type { AuthedContext, Services } from '../../context.ts'
import { isCustomerGone, isPaymentsError } from '../../integrations/stripe/payments.ts'
import { Refusal } from '../../lib/refusal.ts'
import { removeDeletedCustomer } from './customer.ts'

/** Looks at the provider for a visitor, who is told when it doesn't answer. */
export async function orDown<T>(services: Services, look: () => Promise<T>): Promise<T> {
  try {
    return await look()
  } catch (error) {
    if (!isPaymentsError(error, 'down')) throw error
    services.log.warn({ err: error }, 'payment provider down')
    throw new Refusal('payment_provider_down', { retryAfter: 5 })
  }
}

/**
 * Runs a visitor's call with one deadline for all its requests to the provider. Removes a customer that was deleted
 * there and runs the call again; any other refusal of the provider becomes `payment_rejected`.
 */
export const forVisitor = <T>(ctx: AuthedContext, call: () => Promise<T>): Promise<T> =>
  ctx.outside.payments.forVisitor(() => orRejected(ctx, call))

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
