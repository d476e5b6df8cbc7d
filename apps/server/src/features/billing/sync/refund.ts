import { formatMoney } from '@plinth/contract/money'
import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { recordAudit } from '../../../identity/audit.ts'
import type { ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { crashPoint } from '../../../lib/crash-points.ts'
import { isLocale } from '../../../lib/i18n.ts'
import { findAttempt } from '../core/attempt-store.ts'
import { findOwners, markNotified } from '../mails/notification-store.ts'
import { failAttempt } from './fail-attempt.ts'

type Refund = { account_id: string; payment_id: string; amount: number; currency: string }

/**
 * Ends a subscription that runs and that nobody wants: its attempt was given up before the provider came to it. What it
 * was charged brought nobody a plan, and goes back. The jobs for that are there before the end, so that a stop in
 * between loses neither: a subscription that still runs is found again. Nor does its attempt go on: a plan must not come
 * of money that is on its way back.
 * @param code what the visitor is told, if the attempt was still open
 */
export async function endUnwantedSubscription(
  services: Services,
  account_id: string,
  { id, attemptId }: ProviderSubscription,
  code: RefusalCode = 'plan_taken',
) {
  const { payments } = services.outside
  const paid = attemptId ? await payments.paymentsFor(id) : []
  const ours = await services.asSystem('end a subscription that nobody wants', async tx => {
    const account = await lockAccount(tx, account_id)
    // Closed meanwhile: its closing ends what it has, and gives back what was paid.
    if (!account) return false
    const attempt = attemptId ? await findAttempt(tx, account_id, attemptId) : undefined
    // One that came to its end was had and paid for, whatever runs beside it now.
    if (!attempt || attempt.state === 'done') return true
    await failAttempt(services, tx, account, attempt, code)
    await enqueueRefunds(services, tx, account_id, paid)
    return true
  })
  if (!ours) return
  crashPoint('refund:before_end')
  await payments.cancelSubscription(id)
}

type Paid = Awaited<ReturnType<Services['outside']['payments']['paymentsFor']>>

/** Writes down that payments are to be given back, each under its own id, by which the provider knows it again, too. */
export async function enqueueRefunds(services: Services, tx: Tx, account_id: string, paid: Paid) {
  for (const { id, amount, currency } of paid)
    await services.enqueue(
      tx,
      'billing.refund',
      { account_id, payment_id: id, amount, currency },
      { key: id },
    )
}

/** The job. Gives one payment back and says so to the log and to every owner, once, however often it is run. */
export async function refundPayment(services: Services, { account_id, payment_id, ...sum }: Refund) {
  await services.outside.payments.refund(payment_id)
  services.log.warn(
    { account: account_id, payment: payment_id, ...sum },
    'gave back a payment that brought no plan',
  )
  await services.withinAccount(account_id, async tx => {
    const account = await lockAccount(tx, account_id)
    // Closed since: nobody is left who could be told.
    if (!account) return
    const news = { account_id, kind: 'payment_refunded', about: payment_id, told_at: services.now() } as const
    if (!(await markNotified(tx, news))) return
    const metadata = { name: formatMoney('en', sum.amount, sum.currency) }
    const by = { account_id, user_id: null, network: '' }
    await recordAudit(services, tx, { ...by, action: 'plan.refunded', target: payment_id, metadata })
    const { owners } = await findOwners(tx, account_id)
    for (const { email, first_name, ...owner } of owners) {
      const locale = isLocale(owner.locale) ? owner.locale : 'en'
      const data = {
        name: first_name,
        account_name: account.name,
        amount: formatMoney(locale, sum.amount, sum.currency),
        url: `${services.config.publicUrl}/account/billing`,
      }
      await services.enqueueMail(tx, { kind: 'payment_refunded', to: email, locale, data })
    }
  })
}
