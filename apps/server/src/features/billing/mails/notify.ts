import { formatMoney } from '@plinth/contract/money'
import { type PlanId, planOf } from '@plinth/contract/plans'
import type { Services, Tx } from '../../../context.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { mailRecipients } from '../../../identity/mail-preferences.ts'
import type { CardFace, Preview, ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { billingDay } from '../../../lib/billing-day.ts'
import { translate } from '../../../lib/i18n.ts'
import { cardName, costOf, creditOf, trialDay } from './mail-facts.ts'
import { mailOwners } from './mail-owners.ts'

type Account = { id: string; name: string }
type By = { account_id: string; user_id: string | null; network: string }

/**
 * Mails the new plan and its cost to every owner who wants it.
 * @param subscription null for the free plan
 * @param continues a planned end was undone
 */
export async function notifyOwners(
  services: Services,
  tx: Tx,
  account: Account,
  plan: PlanId,
  subscription: ProviderSubscription | null,
  continues = false,
) {
  const owners = await mailRecipients(tx, account.id, 'plan_updated')
  await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
    kind: 'plan_changed',
    data: {
      ...recipient,
      plan: translate(locale, `plans.${plan}`),
      ...(subscription
        ? {
            ...costOf(locale, plan, subscription),
            trial_until: trialDay(locale, subscription),
            credit: creditOf(locale, plan, subscription),
          }
        : { price: '', period: null }),
      continues,
    },
  }))
}

/**
 * Mails that the plan ends with its period and the free plan follows.
 * @param ends null when the provider has no date
 * @param last the last invoice so far; null when nothing more is billed
 */
export async function notifyPlanEnd(
  services: Services,
  tx: Tx,
  account: Account,
  { plan, ends, last }: { plan: PlanId; ends: Date | null; last: Preview | null },
) {
  const owners = await mailRecipients(tx, account.id, 'plan_updated')
  await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
    kind: 'plan_ends',
    data: {
      ...recipient,
      plan: translate(locale, `plans.${plan}`),
      day: billingDay(locale, ends ?? services.now()),
      last: last && last.amountDue > 0 ? formatMoney(locale, last.amountDue, last.currency) : null,
      usage: planOf(plan).metered !== null,
    },
  }))
}

/** Mails the price of another number of seats to every owner who wants it. */
export async function notifySeatChange(
  services: Services,
  tx: Tx,
  account: Account,
  { plan, before, subscription }: { plan: PlanId; before: number; subscription: ProviderSubscription },
) {
  const owners = await mailRecipients(tx, account.id, 'plan_updated')
  await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
    kind: 'seats_changed',
    data: {
      ...recipient,
      ...costOf(locale, plan, subscription),
      plan: translate(locale, `plans.${plan}`),
      before,
      count: subscription.seats,
    },
  }))
}

/** Records the new charged card, and mails it to every owner who wants it. */
export async function recordCardChange(
  services: Services,
  tx: Tx,
  account: Account,
  by: Omit<By, 'account_id'>,
  card: Pick<CardFace, 'brand' | 'last4'> | null,
) {
  await recordAudit(services, tx, { ...by, account_id: account.id, action: 'card.changed', target: '' })
  const owners = await mailRecipients(tx, account.id, 'card_updated')
  await mailOwners(services, tx, { account, owners }, (recipient, locale) => ({
    kind: 'card_changed',
    data: { ...recipient, card: cardName(locale, card) },
  }))
}

/** Writes a plan change to the audit log; `plan` is its target. */
export async function recordPlanAudit(
  services: Services,
  tx: Tx,
  change: By & { plan: PlanId },
  action: 'plan.changed' | 'plan.end_planned' | 'plan.end_undone' = 'plan.changed',
) {
  const { plan, ...who } = change
  await recordAudit(services, tx, { ...who, action, target: plan })
}
