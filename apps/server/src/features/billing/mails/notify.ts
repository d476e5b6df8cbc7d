import { formatMoney } from '@plinth/contract/money'
import { type PlanId, planOf } from '@plinth/contract/plans'
import type { Services, Tx } from '../../../context.ts'
import { recordAudit } from '../../../identity/audit.ts'
import { mailRecipients } from '../../../identity/mail-preferences.ts'
import type { CardFace, Preview, ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { billingDay } from '../../../lib/billing-day.ts'
import { isLocale, type Locale, translate } from '../../../lib/i18n.ts'
import { cardName, costOf, trialDay } from './mail-facts.ts'

type Account = { id: string; name: string }
type By = { account_id: string; user_id: string | null; network: string }

const localeOf = (user: { locale: string }): Locale => (isLocale(user.locale) ? user.locale : 'en')
const pageOf = (services: Services) => `${services.config.publicUrl}/account/billing`

/**
 * Mails the plan in force and its cost to every owner who wants to know.
 * @param seen null for the free plan
 * @param continues the plan was to end and now stays
 */
export async function notifyOwners(
  services: Services,
  tx: Tx,
  account: Account,
  plan: PlanId,
  seen: ProviderSubscription | null,
  continues = false,
) {
  for (const user of await mailRecipients(tx, account.id, 'plan_updated')) {
    const locale = localeOf(user)
    await services.enqueueMail(tx, {
      kind: 'plan_changed',
      to: user.email,
      locale,
      data: {
        name: user.first_name,
        account_name: account.name,
        plan: translate(locale, `plans.${plan}`),
        ...(seen
          ? { ...costOf(locale, plan, seen), trial_until: trialDay(locale, seen) }
          : { price: '', period: null }),
        continues,
        url: pageOf(services),
      },
    })
  }
}

/**
 * That a plan stays until its period ends and free takes over then.
 * @param ends null where the provider has no date
 * @param last what the last invoice comes to so far; null where nothing more is billed
 */
export async function notifyPlanEnd(
  services: Services,
  tx: Tx,
  account: Account,
  { plan, ends, last }: { plan: PlanId; ends: Date | null; last: Preview | null },
) {
  for (const user of await mailRecipients(tx, account.id, 'plan_updated')) {
    const locale = localeOf(user)
    await services.enqueueMail(tx, {
      kind: 'plan_ends',
      to: user.email,
      locale,
      data: {
        name: user.first_name,
        account_name: account.name,
        plan: translate(locale, `plans.${plan}`),
        day: billingDay(locale, ends ?? services.now()),
        last: last && last.amountDue > 0 ? formatMoney(locale, last.amountDue, last.currency) : null,
        usage: planOf(plan).metered !== null,
        url: pageOf(services),
      },
    })
  }
}

/** Records that another card is charged from now on, and mails it to every owner who wants to know. */
export async function recordCardChange(
  services: Services,
  tx: Tx,
  account: Account,
  by: Omit<By, 'account_id'>,
  card: Pick<CardFace, 'brand' | 'last4'> | null,
) {
  await recordAudit(services, tx, { ...by, account_id: account.id, action: 'card.changed', target: '' })
  for (const user of await mailRecipients(tx, account.id, 'card_updated')) {
    const locale = localeOf(user)
    const data = { name: user.first_name, account_name: account.name, url: pageOf(services) }
    await services.enqueueMail(tx, {
      kind: 'card_changed',
      to: user.email,
      locale,
      data: { ...data, card: cardName(locale, card) },
    })
  }
}

/** Writes a change of plan into the account's log; `plan` is the one it is about. */
export async function recordPlanAudit(
  services: Services,
  tx: Tx,
  change: By & { plan: PlanId },
  action: 'plan.changed' | 'plan.end_planned' | 'plan.end_undone' = 'plan.changed',
) {
  const { plan, ...who } = change
  await recordAudit(services, tx, { ...who, action, target: plan })
}
