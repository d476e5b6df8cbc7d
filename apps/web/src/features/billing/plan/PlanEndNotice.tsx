import { useEffect } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { useQueryValue } from '../../../lib/navigate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { PriceChanged, storePreview, usePriceChange } from '../price/PriceChanged.tsx'
import type { Plan } from '../price/plan-texts.ts'
import { bannerOf } from '../status/banner.ts'
import { planEndText, type Subscription } from '../status/subscription.ts'
import { applyPlanChange } from './apply-plan-change.ts'
import { lastInvoiceTexts } from './last-invoice.ts'

type Props = { plan: Plan; subscription: Subscription; mayChange: boolean }

/** Shows when the plan ends and a button to keep it, or that keeping it failed because the price changed. */
export function PlanEndNotice(props: Props) {
  const { plan, subscription } = props
  const change = usePriceChange(data => storePreview(data, ''))
  const chosen = useQueryValue('plan')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection hides the notice
  useEffect(change.clear, [chosen])
  const isEnding = subscription.cancel_at_period_end && !bannerOf(subscription.status)
  return (
    <>
      {change.isChanged && <PriceChanged currentPlan={isEnding ? undefined : plan.name} />}
      {isEnding && <EndingPlan {...props} change={change} />}
    </>
  )
}

function EndingPlan({
  plan,
  subscription,
  mayChange,
  change,
}: Props & { change: ReturnType<typeof usePriceChange> }) {
  const t = useT()
  const quote = useApi(api.billing.previewPlan, { query: { plan: plan.id } }, { fresh: true }).data?.quote
  const last = useApi(api.billing.upcoming, { query: {} }, { fresh: true }).data

  async function keepPlan(): Promise<void> {
    const key = crypto.randomUUID()
    const call = api.billing.changePlan({ body: { plan: plan.id, quote }, key })
    const answer = await attempt(call, error => error instanceof ApiError && change.handleError(error))
    if (!answer) return
    change.clear()
    applyPlanChange(answer, t('billing.now.kept', { plan: plan.name }))
  }

  return (
    <Alert
      title={planEndText(subscription, t)}
      action={
        mayChange && quote && <Button onClick={keepPlan}>{t('billing.now.keep', { plan: plan.name })}</Button>
      }
    >
      {[t('billing.now.ending_text'), ...lastInvoiceTexts(plan, last, t)].join(' ')}
    </Alert>
  )
}
