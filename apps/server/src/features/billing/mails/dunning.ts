import { formatMoney } from '@plinth/contract/money'
import type { PlanId } from '@plinth/contract/plans'
import type { Services, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import type { ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { billingDay } from '../../../lib/billing-day.ts'
import { translate } from '../../../lib/i18n.ts'
import { findOpenAttempt } from '../core/attempt-store.ts'
import { isProviderLink } from '../core/document-links.ts'
import { cardName, costOf } from './mail-facts.ts'
import { mailOwners } from './mail-owners.ts'
import * as store from './notification-store.ts'

type Account = { id: string; name: string }
type Problem = 'payment_failed' | 'payment_action' | 'subscription_ended'
/**
 * Mails every owner about a failed payment or an ended subscription, in the transaction that stores the
 * state. Owners can't turn these mails off, because the account is about to stop. Each problem is mailed
 * once.
 * @param was the stored status before
 */
export async function notifyPaymentState(
  services: Services,
  tx: Tx,
  account: Account,
  { subscription, status, was }: { subscription: ProviderSubscription; status: string; was: string | null },
) {
  const problem = problemOf(subscription, status, was)
  if (!problem) return
  // An open attempt is asking the bank about this invoice right now.
  if (problem.kind === 'payment_action' && (await findOpenAttempt(tx, account.id))) return
  const { kind } = problem
  // Links to the provider's page, where the payment is confirmed without signing in.
  const { card, due } = subscription
  const page = kind === 'payment_action' ? due?.page : null
  const there = page && isProviderLink(page, services.config.payments.sandboxUrl) ? page : null
  if (!(await store.markNotified(tx, { account_id: account.id, ...problem, sent_at: services.now() }))) return
  const { plan, owners } = await store.findOwners(tx, account.id)
  await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
    kind: 'payment_trouble',
    data: {
      ...recipient,
      plan: translate(locale, `plans.${plan}`),
      happened: kind,
      url: there ?? recipient.url,
      amount: due && formatMoney(locale, due.amount, due.currency),
      card: cardName(locale, card),
      next_attempt: due?.nextAttempt ? billingDay(locale, due.nextAttempt) : null,
    },
  }))
}

function problemOf(
  subscription: ProviderSubscription,
  status: string,
  was: string | null,
): { kind: Problem; object_id: string } | null {
  if (subscription.endedUnpaid && was !== 'canceled')
    return { kind: 'subscription_ended', object_id: subscription.id }
  const owing = subscription.status === 'past_due' || subscription.status === 'unpaid'
  if (!owing || !subscription.invoiceId) return null
  const kind = status === 'requires_action' ? 'payment_action' : 'payment_failed'
  return { kind, object_id: subscription.invoiceId }
}

const beforehandMs = 3 * 86_400_000

/** Whether a trial ends within three days by our clock, and then charges. */
export const endsSoon = (subscription: ProviderSubscription, now: Date): boolean =>
  pays(subscription) && (subscription.trialEnd?.getTime() ?? Infinity) - now.getTime() <= beforehandMs
const pays = (subscription: ProviderSubscription) =>
  subscription.status === 'trialing' && !subscription.cancelAtPeriodEnd

/**
 * Mails every owner once when a trial ends and what the plan then costs.
 * @param subscription a fresh read of the account's subscription
 */
export async function notifyTrialEnd(
  services: Services,
  accountId: string,
  plan: PlanId,
  subscription: ProviderSubscription,
) {
  const { trialEnd } = subscription
  if (!trialEnd || !pays(subscription)) return
  await services.withinAccount(accountId, async tx => {
    const account = await lockAccount(tx, accountId)
    if (!account) return
    const object_id = `${subscription.id} ${trialEnd.toISOString()}`
    const notice = { account_id: accountId, kind: 'trial_ends', object_id, sent_at: services.now() } as const
    if (!(await store.markNotified(tx, notice))) return
    const { plan: current, owners } = await store.findOwners(tx, accountId)
    await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
      kind: 'trial_ends',
      data: {
        ...recipient,
        plan: translate(locale, `plans.${current}`),
        ...costOf(locale, plan, subscription),
        day: billingDay(locale, trialEnd),
        card: cardName(locale, subscription.card),
      },
    }))
  })
}
