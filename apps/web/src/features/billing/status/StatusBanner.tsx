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

/** What is wrong with the subscription, what is due, and what to do about it. Gone as soon as it runs again. */
export function StatusBanner({ subscription }: { subscription: Subscription }) {
  const t = useT()
  const banner = bannerOf(subscription.status)
  // Where the card is changed, a link to that place would lead nowhere.
  const there = useQueryValue('tab') === 'card'
  // Support that acts as somebody leaves their money alone.
  const support = useSignedIn().support_until !== null
  if (!banner)
    return subscription.collection_paused && <PausedNotice paused={subscription.collection_paused} />
  const page = support ? null : (subscription.due?.page ?? null)
  return (
    <Alert tone={banner.tone} title={t(banner.title)} action={actionOf(banner, { there, page }, t)}>
      {subscription.due && <p>{dueText(subscription.due, t)}</p>}
      <p>
        <TextSpan>{textOf(banner, subscription, page, t)}</TextSpan>
        {banner.does === 'look' && !there && (
          <>
            {' '}
            <TextLink href={tabPath('card')}>{t('billing.banner.other_card')}</TextLink>
          </>
        )}
      </p>
    </Alert>
  )
}

/** Support has paused collection: good news, unless the plan is to change. */
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

function textOf({ text, does }: Banner, { due }: Subscription, page: string | null, t: Translate): string {
  if (does === 'look' && page) return t('billing.banner.confirm_text')
  // The sentence of what is due has said when the card is charged again, or that it is not.
  return t(does === 'card' && due ? 'billing.banner.card_text' : text)
}

function actionOf({ does }: Banner, { there, page }: { there: boolean; page: string | null }, t: Translate) {
  if (does === 'look')
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
  if (does === 'card')
    return !there && <ButtonLink href={tabPath('card')}>{t('billing.banner.card')}</ButtonLink>
  return (
    <ButtonLink variant="primary" href={paths.plan}>
      {t('billing.button.none')}
    </ButtonLink>
  )
}
