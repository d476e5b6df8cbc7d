import { formatMoney } from '@plinth/contract/money'
import type { PlanId } from '@plinth/contract/plans'
import type { Services, Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import type { Mail } from '../../../integrations/mail/mailer.ts'
import type { ProviderSubscription } from '../../../integrations/stripe/payments.ts'
import { billingDay } from '../../../lib/billing-day.ts'
import { isLocale, type Locale, translate } from '../../../lib/i18n.ts'
import { findOpenAttempt } from '../core/attempt-store.ts'
import { isProviderLink } from '../core/document-links.ts'
import { cardName, costOf } from './mail-facts.ts'
import * as store from './notification-store.ts'

type Account = { id: string; name: string }
type Trouble = 'payment_failed' | 'payment_action' | 'subscription_ended'
type Told<K = store.NotificationKind> = { kind: K; about: string }
type Letter =
  | Pick<Extract<Mail, { kind: 'payment_trouble' }>, 'kind' | 'data'>
  | Pick<Extract<Mail, { kind: 'trial_ends' }>, 'kind' | 'data'>

/**
 * What the owners must know of a state that was just read, in the transaction that writes it down. Every owner, whatever
 * they want to hear of: their account is about to stop. Each thing once, however often the state is read.
 * @param was the status that was written down before
 */
export async function notifyPaymentState(
  services: Services,
  tx: Tx,
  account: Account,
  { subscription, status, was }: { subscription: ProviderSubscription; status: string; was: string | null },
) {
  const news = newsOf(subscription, status, was)
  if (!news) return
  // Somebody is with their bank this very moment, about this very invoice.
  if (news.kind === 'payment_action' && (await findOpenAttempt(tx, account.id))) return
  const { kind } = news
  // Straight to where it is confirmed: our own screen would only lead there, after a sign-in.
  const { card, due } = subscription
  const page = kind === 'payment_action' ? due?.page : null
  const there = page && isProviderLink(page, services.config.payments.sandboxUrl) ? page : null
  await mailOwnersOnce(services, tx, account, news, (reader, locale) => ({
    kind: 'payment_trouble',
    data: {
      ...reader,
      happened: kind,
      url: there ?? reader.url,
      amount: due && formatMoney(locale, due.amount, due.currency),
      card: cardName(locale, card),
      next_attempt: due?.nextAttempt ? billingDay(locale, due.nextAttempt) : null,
    },
  }))
}

function newsOf(seen: ProviderSubscription, status: string, was: string | null): Told<Trouble> | null {
  if (seen.endedUnpaid && was !== 'canceled') return { kind: 'subscription_ended', about: seen.id }
  const owing = seen.status === 'past_due' || seen.status === 'unpaid'
  if (!owing || !seen.invoiceId) return null
  const kind = status === 'requires_action' ? 'payment_action' : 'payment_failed'
  return { kind, about: seen.invoiceId }
}

const beforehandMs = 3 * 86_400_000

/** Whether a trial ends within three days, by our own clock; nobody pays for one whose end is planned. */
export const endsSoon = (seen: ProviderSubscription, now: Date): boolean =>
  pays(seen) && (seen.trialEnd?.getTime() ?? Infinity) - now.getTime() <= beforehandMs
const pays = (seen: ProviderSubscription) => seen.status === 'trialing' && !seen.cancelAtPeriodEnd

/** Says once that a trial ends, when and what it costs from then on. @param seen a fresh read of the account's own */
export async function notifyTrialEnd(
  services: Services,
  accountId: string,
  plan: PlanId,
  seen: ProviderSubscription,
) {
  const { trialEnd } = seen
  if (!trialEnd || !pays(seen)) return
  await services.withinAccount(accountId, async tx => {
    const account = await lockAccount(tx, accountId)
    if (!account) return
    const news = { kind: 'trial_ends', about: `${seen.id} ${trialEnd.toISOString()}` } as const
    await mailOwnersOnce(services, tx, account, news, (reader, locale) => ({
      kind: 'trial_ends',
      data: {
        ...reader,
        ...costOf(locale, plan, seen),
        day: billingDay(locale, trialEnd),
        card: cardName(locale, seen.card),
      },
    }))
  })
}

type Reader = { name: string; account_name: string; plan: string; url: string }

/** @param letter what it says to one owner, in their language */
async function mailOwnersOnce(
  services: Services,
  tx: Tx,
  account: Account,
  news: Told,
  letter: (reader: Reader, locale: Locale) => Letter,
) {
  if (!(await store.markNotified(tx, { account_id: account.id, ...news, told_at: services.now() }))) return
  const { plan, owners } = await store.findOwners(tx, account.id)
  for (const { email, first_name, ...owner } of owners) {
    const locale = isLocale(owner.locale) ? owner.locale : 'en'
    const reader = {
      name: first_name,
      account_name: account.name,
      plan: translate(locale, `plans.${plan}`),
      url: `${services.config.publicUrl}/account/billing`,
    }
    await services.enqueueMail(tx, { ...letter(reader, locale), to: email, locale })
  }
}
