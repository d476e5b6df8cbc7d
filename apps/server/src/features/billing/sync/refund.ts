import { formatMoney } from '@plinth/contract/money'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { recordAudit } from '../../../identity/audit.ts'
import type { ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { findAttempt } from '../core/attempt-store.ts'
import { mailOwners } from '../mails/mail-owners.ts'
import { findOwners, markNotified } from '../mails/notification-store.ts'
import { failAttempt } from './fail-attempt.ts'

type Refund = { account_id: string; payment_id: string; amount: number; currency: string }

/**
 * Ends a running subscription whose attempt was rolled back, and refunds its payments. The refund jobs are
 * committed before the end, so that a crash in between loses neither: a subscription that still runs is
 * found again. The attempt fails too, because no plan may result from refunded money.
 * @param code the refusal that the user sees, if the attempt was still open
 */
export async function endUnwantedSubscription(
  services: Services,
  account_id: string,
  { id, attemptId }: ProviderSubscription,
  code: RefusalCode = 'plan_taken',
) {
  const { payments } = services.integrations
  const paid = attemptId ? await payments.paymentsFor(id) : []
  const ours = await services.asSystem('end an unwanted subscription', async tx => {
    const account = await lockAccount(tx, account_id)
    // The account was closed; its close job ends and refunds its subscriptions.
    if (!account) return false
    const attempt = attemptId ? await findAttempt(tx, account_id, attemptId) : undefined
    // A completed attempt was used and paid for.
    if (!attempt || attempt.state === 'done') return true
    await failAttempt(services, tx, account, attempt, code)
    await enqueueRefunds(services, tx, account_id, paid)
    return true
  })
  if (!ours) return

  await payments.cancelSubscription(id)
}

type Paid = Awaited<ReturnType<Services['integrations']['payments']['paymentsFor']>>

/** Enqueues refunds. The payment id is the key, so that each payment is refunded once. */
export async function enqueueRefunds(services: Services, tx: Tx, account_id: string, paid: Paid) {
  for (const { id, amount, currency } of paid)
    await services.enqueue(
      tx,
      'billing.refund',
      { account_id, payment_id: id, amount, currency },
      { key: id },
    )
}

/** The job. Refunds one payment, and records and mails it once. */
export async function refundPayment(services: Services, { account_id, payment_id, ...sum }: Refund) {
  await services.integrations.payments.refund(payment_id)
  services.log.warn(
    { account: account_id, payment: payment_id, ...sum },
    'refunded a payment that led to no plan',
  )
  await services.withinAccount(account_id, async tx => {
    const account = await lockAccount(tx, account_id)
    // The account was closed since: there are no owners to notify.
    if (!account) return
    const notice = {
      account_id,
      kind: 'payment_refunded',
      object_id: payment_id,
      sent_at: services.now(),
    } as const
    if (!(await markNotified(tx, notice))) return
    const metadata = { name: formatMoney('en', sum.amount, sum.currency) }
    const by = { account_id, user_id: null, network: '' }
    await recordAudit(services, tx, { ...by, action: 'plan.refunded', target: payment_id, metadata })
    const { owners } = await findOwners(tx, account_id)
    await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
      kind: 'payment_refunded',
      data: { ...recipient, amount: formatMoney(locale, sum.amount, sum.currency) },
    }))
  })
}
