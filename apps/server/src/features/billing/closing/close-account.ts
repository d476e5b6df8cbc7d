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
 * Notes that an account is closed, in the transaction that removes it, together with the job that ends what it has at
 * the payment provider. Called before the rows go, under the account's lock.
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
    // The rows go with the account; what they count is on its last invoice.
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
 * The job. Ends the subscriptions, then removes the customer, after which nobody can subscribe for it any more, not
 * even a call that was under way. May be cut off and repeated anywhere: what is gone already is what was wanted.
 */
export async function finishClosing(services: Services, { account_id }: { account_id: string }) {
  const { payments } = services.outside
  const closing = await services.asSystem('a closed account', tx => store.findClosing(tx, account_id))
  if (!closing || closing.settled_at) return
  // Asked for under the account's own key the provider answers the customer that an attempt has made.
  const customer = closing.customer_id ?? (await payments.createCustomer(account_id))
  const left = await payments.subscriptionsOf(customer)
  if (left.length > 0) await reportLast(services, customer, closing.usage)
  const unmet = z.array(z.string()).parse(closing.attempts)
  for (const subscription of left) {
    const { id, attemptId } = subscription
    // Paid for after it was given up, or while the account was being closed: nobody has had anything of it.
    const paid = attemptId !== null && unmet.includes(attemptId) ? await payments.paymentsFor(id) : []
    await services.withinAccount(account_id, tx => enqueueRefunds(services, tx, account_id, paid))
    await payments.cancelWithFinalInvoice(subscription)
  }
  crashPoint('close_account:after_cancel')
  await payments.removeCustomer(customer)
  crashPoint('close_account:after_customer')
  await services.asSystem('a closed account is settled', tx =>
    store.markSettled(tx, account_id, services.now()),
  )
}

const counted = z.array(
  z.object({ id: z.string(), meter: z.string(), quantity: z.int(), occurred_at: z.coerce.date() }),
)

/** Before the subscription ends, so that its last invoice has it. */
async function reportLast(services: Services, customer: string, usage: unknown) {
  for (const { occurred_at, ...row } of counted.parse(usage)) {
    await reportUsage(services, { ...row, customer, at: occurred_at }).catch(error => {
      // What the provider will never take must not keep the account's subscription alive.
      if (!isPaymentsError(error, 'rejected', 'missing')) throw error
      services.log.error({ err: error, usage: row.id }, 'the payment provider does not take this usage')
    })
  }
}

/** Enough at once: the next sweep takes the next ones. */
const takenUpAtOnce = 500

/** After a start and every hour: whose job has died or given up gets another one. Nobody pays for a closed account. */
export async function requeueClosings(services: Services) {
  await services.asSystem('closed accounts that are not settled', async tx => {
    for (const account_id of await store.findUnsettled(tx, takenUpAtOnce))
      await services.enqueue(tx, 'billing.close', { account_id }, { key: account_id })
  })
}
