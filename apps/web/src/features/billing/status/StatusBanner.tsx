import { billingDay, money } from '../../../lib/i18n/format.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { useQueryValue } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { TextLink } from '../../../ui/base/Link.tsx'
import { TextSpan } from '../../../ui/base/TextSpan.tsx'
import { tabPath } from '../shared/tabs.ts'
import { type Banner, bannerOf } from './banner.ts'
import { checkPendingPayment } from './check-payment.ts'
import type { Subscription } from './subscription.ts'

/** The problem with the subscription, the amount due, and the action that solves it. Hidden once it runs again. */
export function StatusBanner({ subscription }: { subscription: Subscription }) {
  const t = useT()
  const banner = bannerOf(subscription.status)
  // On the card tab, links to the card tab are left out.
  const isCardTab = useQueryValue('tab') === 'card'
  // Support staff who impersonate a user must not pay for them.
  const isImpersonated = useSignedIn().support_until !== null
  if (!banner)
    return subscription.collection_paused && <PausedNotice paused={subscription.collection_paused} />
  const page = isImpersonated ? null : (subscription.due?.page ?? null)
  return (
    <Alert tone={banner.tone} title={t(banner.title)} action={bannerAction(banner, { isCardTab, page }, t)}>
      {subscription.due && <p>{dueText(subscription.due, t)}</p>}
      <p>
        <TextSpan>{bannerText(banner, subscription, page, t)}</TextSpan>
        {banner.action === 'check_payment' && !isCardTab && (
          <>
            {' '}
            <TextLink href={tabPath('card')}>{t('billing.banner.other_card')}</TextLink>
          </>
        )}
      </p>
    </Alert>
  )
}

/** Support has paused payment collection. The plan cannot change until it resumes. */
function PausedNotice({ paused: { until } }: { paused: NonNullable<Subscription['collection_paused']> }) {
  const t = useT()
  return (
    <Alert
      title={
        until ? t('billing.banner.paused_until', { date: billingDay(until) }) : t('billing.banner.paused')
      }
    >
      {t('billing.banner.paused_text')}
    </Alert>
  )
}

function dueText(due: NonNullable<Subscription['due']>, t: Translate) {
  const { currency, invoices: count, next_attempt } = due
  const amount = money(due.amount, currency)
  if (count > 1)
    return next_attempt
      ? t('billing.banner.due_several_again', { amount, count, date: billingDay(next_attempt) })
      : t('billing.banner.due_several', { amount, count })
  return next_attempt
    ? t('billing.banner.due_again', { amount, date: billingDay(next_attempt) })
    : t('billing.banner.due', { amount })
}

function bannerText(
  { text, action }: Banner,
  { due }: Subscription,
  page: string | null,
  t: Translate,
): string {
  if (action === 'check_payment' && page) return t('billing.banner.confirm_text')
  // dueText() already names the date of the next attempt.
  return t(action === 'change_card' && due ? 'billing.banner.card_text' : text)
}

function bannerAction(
  { action }: Banner,
  { isCardTab, page }: { isCardTab: boolean; page: string | null },
  t: Translate,
) {
  if (action === 'check_payment')
    return (
      <>
        {page && (
          <ButtonLink variant="primary" href={page} target="_blank" rel="noopener">
            {t('billing.banner.confirm')}
          </ButtonLink>
        )}
        <Button onClick={checkPendingPayment}>{t('billing.banner.look')}</Button>
      </>
    )
  if (action === 'change_card')
    return !isCardTab && <ButtonLink href={tabPath('card')}>{t('billing.banner.card')}</ButtonLink>
  return (
    <ButtonLink variant="primary" href={paths.plan}>
      {t('billing.button.none')}
    </ButtonLink>
  )
}
