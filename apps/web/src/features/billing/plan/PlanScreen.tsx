import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { useQueryValue } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { TextLink } from '../../../ui/base/Link.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { SignOutLine } from '../../sign-in/SignOutLine.tsx'
import { PaymentDueNotice } from '../status/PaymentDueNotice.tsx'
import { isDue, isRunning } from '../status/subscription.ts'
import { PlanAlreadyActive } from './PlanAlreadyActive.tsx'
import { PlanForm } from './PlanForm.tsx'

/** Choice of the first plan after sign-up. */
export function PlanScreen() {
  const t = useT()
  return (
    <>
      <AuthHeader title={t('billing.plan.title')}>{t('billing.plan.text')}</AuthHeader>
      <PlanChoice />
      <SignOutLine>
        <SignedInAs />
      </SignOutLine>
    </>
  )
}

function PlanChoice() {
  const t = useT()
  const list = useApi(api.billing.plans)
  // The price depends on the seats, so the plans are shown once they are loaded.
  const { data: subscription, ...seats } = useApi(api.billing.subscription)
  if (list.data && subscription) {
    const { plans, active } = list.data
    const running = plans.find(({ id }) => id === subscription.plan)
    if (isDue(subscription)) return <PaymentDueNotice />
    if (running && running.price > 0 && isRunning(subscription))
      return <PlanAlreadyActive plan={running.name} />
    const isCanceled = subscription.status === 'canceled'
    return <PlanForm {...{ plans, active, isCanceled }} seats={Math.max(1, subscription.seats)} />
  }
  if (!list.failed && !seats.failed) return <PlanSkeleton />
  return (
    <Alert
      tone="danger"
      title={t('billing.failed')}
      action={
        <Button
          size="sm"
          onClick={() => {
            if (list.failed) list.retry()
            if (seats.failed) seats.retry()
          }}
        >
          {t('global.retry')}
        </Button>
      }
    >
      {t('billing.failed_text')}
    </Alert>
  )
}

function SignedInAs() {
  const t = useT()
  const email = useApi(api.profile.read).data?.email
  return (
    <>
      {email && <span className="wrap-anywhere">{t('billing.signed_in', { email })} </span>}
      <TextLink href={paths.profile}>{t('billing.profile')}</TextLink>
    </>
  )
}

function PlanSkeleton() {
  const t = useT()
  const preselected = useQueryValue('id')
  return (
    <Loading label={t('global.loading')}>
      <div className="stack stack-5">
        <div className="stack stack-2">
          {['free', 'small', 'yearly', 'large'].map(plan => (
            <Skeleton key={plan} height="66px" />
          ))}
        </div>
        {preselected && <Skeleton height="180px" />}
        <Skeleton height="40px" />
      </div>
    </Loading>
  )
}
