import type { Contract, Reply } from '@plinth/contract'
import { type ComponentProps, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { money } from '../../../lib/i18n/format.ts'
import { type Translate, useT } from '../../../lib/i18n/translate.ts'
import { navigate, useQueryValue } from '../../../lib/navigate.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { mergeSession } from '../../../lib/session/store.ts'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import { Inset } from '../../../ui/base/Inset.tsx'
import { track } from '../../events/track.ts'
import { brandOfInput } from '../card/card-checks.ts'
import { newCardInput } from '../card/new-card-input.tsx'
import { savedCardInput } from '../card/saved-card-input.tsx'
import { PlanSummary } from '../price/PlanSummary.tsx'
import { PriceChanged, storePreview, usePriceChange } from '../price/PriceChanged.tsx'
import { PriceLines } from '../price/PriceLines.tsx'
import { promotionCodeOf } from '../price/PromotionCodeField.tsx'
import { type Plan, payText } from '../price/plan-texts.ts'
import { promotionCodeInput } from '../price/promotion-code-input.tsx'
import { type PlanPrice, usePrice } from '../price/use-price.ts'
import { refreshBilling } from '../shared/refresh-billing.ts'
import type { Subscription } from '../status/subscription.ts'
import { isRunning } from '../status/subscription.ts'
import { OverLimits } from './OverLimits.tsx'
import { PlanAlreadyActive } from './PlanAlreadyActive.tsx'
import { planInput } from './plan-input.tsx'
import { TrialEndsNotice } from './TrialEndsNotice.tsx'
import { UpgradeSkeleton } from './UpgradeSkeleton.tsx'
import { paidPlans, preselectPlan } from './upgrade-plans.ts'

type Props = {
  plans: readonly Plan[]
  subscription: Subscription
  /** Called with the name of the new plan. */
  onDone: (plan: string) => void
}

/** The selection is in the URL: a reload keeps it, and a refused call can preset the plan it needs. */
export function UpgradeForm({ plans, subscription, onDone }: Props) {
  const t = useT()
  const wanted = useQueryValue('plan')
  const [brand, setBrand] = useState<string | null>(null)
  const [chosen, setChosen] = useState(() => preselectPlan(plans, wanted, subscription)?.id)
  const plan = plans.find(({ id }) => id === chosen)
  const seats = Math.max(1, subscription.seats)
  const isCurrent = plan !== undefined && isRunning(subscription) && plan.id === subscription.plan
  // A running paid plan is changed, at a price from the provider; otherwise a new subscription starts.
  const isChange = isRunning(subscription) && subscription.plan !== 'free'
  const [code, setCode] = useState('')
  const card = useApi(api.billing.card, isChange && !isCurrent ? {} : null)
  const [isNewCard, setNewCard] = useState(false)
  // Only a change can be paid with the saved card; a new subscription needs a card.
  const savedCard = isChange && !isNewCard && card.data?.last4 ? card.data : null
  const isLoadingCard = isChange && !isCurrent && card.loading
  const price = usePrice(plan && !isCurrent ? plan.id : null, code)
  const { preview } = price
  const quote = preview.data?.quote
  const change = usePriceChange(data => storePreview(data, code))

  function finish(answer: Reply<Contract['billing']['upgrade']>): void {
    // The form handles bank confirmations itself; only a completed upgrade is of interest here.
    if (!('plan' in answer)) return
    track('upgraded', { plan: answer.plan })
    mergeSession({ plan: answer.plan, subscription: answer.subscription })
    refreshBilling()
    onDone(plans.find(({ id }) => id === answer.plan)?.name ?? answer.plan)
  }

  // Wait for the saved card: it is taller than the input for a new one, and the form would jump.
  if (isLoadingCard) return <UpgradeSkeleton />
  return (
    <Form
      inputs={{
        plan: planInput(paidPlans(plans), plan?.id, t),
        ...(!isCurrent && {
          token: savedCard ? savedCardInput(savedCard, () => setNewCard(true), t) : newCardInput(brand, t),
          promotion_code: promotionCodeInput({ price, replaces: isChange }, t),
        }),
      }}
      extra={quote ? { quote } : {}}
      call={savedCard ? api.billing.changePlan : api.billing.upgrade}
      onChange={values => {
        setBrand(brandOfInput(values.token))
        setCode(promotionCodeOf(values.promotion_code).applied)
        const next = plans.find(({ id }) => id === values.plan)?.id
        // The form may call this again while the screen unmounts; navigating then would lead back here.
        if (!next || next === chosen) return
        change.clear()
        setChosen(next)
        navigate(withQuery(paths.upgrade, { plan: next }), { replace: true })
      }}
      onError={error => {
        // This card has already had a trial: load the prices without one. The error stays at the field.
        if (error.code === 'trial_used') refreshBilling()
        return change.handleError(error)
      }}
      buttonText={isCurrent ? undefined : submitText(plan, price, isChange, t)}
      actions={isCurrent ? null : <ButtonLink href={paths.billing}>{t('billing.upgrade.cancel')}</ButtonLink>}
      callback={finish}
    >
      {isCurrent && <PlanAlreadyActive plan={plan.name} />}
      {plan &&
        !isCurrent &&
        (isChange ? (
          <>
            <ChangePrice {...preview} plan={plan} />
            <TrialEndsNotice plan={plan} status={subscription.status} />
          </>
        ) : (
          <PlanSummary plan={plan} seats={seats} price={price} />
        ))}
      {plan && !isCurrent && <OverLimits over={preview.data?.over} plan={plan.name} />}
      {change.isChanged && <PriceChanged currentPlan={isCurrent ? plan.name : undefined} />}
    </Form>
  )
}

/** The text of the submit button; undefined, and so no button, until the price is known. */
function submitText(
  plan: Plan | undefined,
  price: PlanPrice,
  isChange: boolean,
  t: Translate,
): string | undefined {
  if (!plan || !isChange) return payText(plan, price, t)
  const { preview } = price
  if (!preview.data) return undefined
  const { due_now, currency } = preview.data
  return due_now > 0
    ? t('billing.button.pay', { amount: money(due_now, currency) })
    : t('billing.change.do', { plan: plan.name })
}

const ChangePrice = (price: ComponentProps<typeof PriceLines>) => (
  <Inset className="stack">
    <PriceLines {...price} />
  </Inset>
)
