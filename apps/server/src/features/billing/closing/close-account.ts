import { z } from 'zod'
import type { Services, Tx } from '../../../context.ts'
import { isPaymentsError } from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { isLive } from '../core/rules.ts'
import { findSubscription } from '../core/store.ts'
import { enqueueRefunds } from '../sync/refund.ts'
import { findUnreportedUsageOf } from '../usage/meter-store.ts'
import { reportUsage } from '../usage/report-usage.ts'
import { findMeteredUsage } from '../usage/usage.ts'
import * as store from './closing-store.ts'

type Money = { amount: number; currency: string }

/**
 * Records that an account is closed, in the transaction that removes it, together with the job that ends its
 * subscriptions. Call it under the account's lock, before the rows are removed.
 * @returns the price of the usage that the job invoices; null on a plan without metered usage
 */
export async function recordClosing(
  services: Services,
  tx: Tx,
  { account_id, closed_by }: { account_id: string; closed_by: string },
): Promise<Money | null> {
  const { customer_id, unknown, attempts } = await store.findCustomer(tx, account_id)
  const now = services.now()
  const due = customer_id !== null || unknown
  await store.insertClosing(tx, {
    account_id,
    closed_by,
    customer_id,
    attempts,
    // Usage rows are deleted with the account; the last invoice still bills them.
    usage: customer_id ? await findUnreportedUsageOf(tx, account_id) : [],
    closed_at: now,
    settled_at: due ? null : now,
  })
  const subscription = await findSubscription(tx, account_id)
  const used = isLive(subscription) ? await findMeteredUsage(tx, account_id, subscription?.plan, now) : null
  if (due) await services.enqueue(tx, 'billing.close', { account_id }, { key: account_id })
  return used && { amount: used.amount, currency: used.currency }
}

/**
 * The job. Ends the subscriptions and removes the customer. After that no call can subscribe for it, not
 * even one that is still running. Can be repeated from any point.
 */
export async function finishClosing(services: Services, { account_id }: { account_id: string }) {
  const { payments } = services.integrations
  const closing = await services.asSystem('find a closed account', tx => store.findClosing(tx, account_id))
  if (!closing || closing.settled_at) return
  // With the account's idempotency key the provider returns the customer that an attempt created.
  const customer = closing.customer_id ?? (await payments.createCustomer(account_id))
  const left = await payments.subscriptionsOf(customer)
  if (left.length > 0) await reportLast(services, customer, closing.usage)
  const incomplete = z.array(z.string()).parse(closing.attempts)
  for (const subscription of left) {
    const { id, attemptId } = subscription
    // A payment of an attempt that failed, or that was still open at the close: refund it.
    const paid = attemptId !== null && incomplete.includes(attemptId) ? await payments.paymentsFor(id) : []
    await services.withinAccount(account_id, tx => enqueueRefunds(services, tx, account_id, paid))
    await payments.cancelWithFinalInvoice(subscription)
  }
  crashPoint('close_account:after_cancel')
  await payments.removeCustomer(customer)
  crashPoint('close_account:after_customer')
  await services.asSystem('mark a closed account as settled', tx =>
    store.markSettled(tx, account_id, services.now()),
  )
}

const counted = z.array(
  z.object({ id: z.string(), meter: z.string(), quantity: z.int(), occurred_at: z.coerce.date() }),
)

/** Before the subscription ends, so that the last invoice includes it. */
async function reportLast(services: Services, customer: string, usage: unknown) {
  for (const { occurred_at, ...row } of counted.parse(usage)) {
    await reportUsage(services, { ...row, customer, at: occurred_at }).catch(error => {
      // Usage that the provider rejects for good must not keep the subscription alive.
      if (!isPaymentsError(error, 'rejected', 'missing')) throw error
      services.log.error({ err: error, usage: row.id }, 'the payment provider rejected this usage')
    })
  }
}

/** The next run continues. */
const batchSize = 500

/** Requeues closed accounts whose job died or failed for good. Runs at the start and every hour. */
export async function requeueClosings(services: Services) {
  await services.asSystem('find unsettled closed accounts', async tx => {
    for (const account_id of await store.findUnsettled(tx, batchSize))
      await services.enqueue(tx, 'billing.close', { account_id }, { key: account_id })
  })
}
