import type { Contract, Reply } from '@plinth/contract'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { navigate, useQueryValue } from '../../../lib/navigate.ts'
import { paths, withQuery } from '../../../lib/paths.ts'
import { checkSession } from '../../../lib/session/check.ts'
import { mergeSession } from '../../../lib/session/store.ts'
import { brandOfInput } from '../card/card-checks.ts'
import { newCardInput } from '../card/new-card-input.tsx'
import { PlanSummary } from '../price/PlanSummary.tsx'
import { PriceChanged, storePreview, usePriceChange } from '../price/PriceChanged.tsx'
import { promotionCodeOf } from '../price/PromotionCodeField.tsx'
import { type Plan, payText } from '../price/plan-texts.ts'
import { promotionCodeInput } from '../price/promotion-code-input.tsx'
import { usePrice } from '../price/use-price.ts'
import { refreshBilling } from '../shared/refresh-billing.ts'
import { planInput } from './plan-input.tsx'

type Chosen = Reply<Contract['billing']['choosePlan']>

/** Form for the first plan. The selection is in the URL: a reload keeps it and a link can preset it. */
export function PlanForm({
  plans,
  active,
  isCanceled,
  seats,
}: {
  plans: readonly Plan[]
  active: string | null
  isCanceled: boolean
  seats: number
}) {
  const t = useT()
  const wanted = useQueryValue('id')
  const [chosen, setChosen] = useState(() => plans.find(({ id }) => id === wanted)?.id ?? active)
  const plan = plans.find(({ id }) => id === chosen)
  const [brand, setBrand] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const isPaid = plan !== undefined && plan.price > 0
  const price = usePrice(isPaid ? plan.id : null, code)
  const quote = price.preview.data?.quote
  const change = usePriceChange(data => storePreview(data, code))
  return (
    <Form
      large
      inputs={{
        plan: planInput(plans, plan?.id, t, isCanceled ? null : active),
        ...(isPaid && { token: newCardInput(brand, t), promotion_code: promotionCodeInput({ price }, t) }),
      }}
      extra={isPaid && quote ? { quote } : {}}
      call={api.billing.choosePlan}
      onChange={values => {
        setBrand(brandOfInput(values.token))
        setCode(promotionCodeOf(values.promotion_code).applied)
        const next = plans.find(({ id }) => id === values.plan)?.id
        // The form may call this again while the screen unmounts; navigating then would lead back here.
        if (!next || next === chosen) return
        change.clear()
        setChosen(next)
        navigate(withQuery(paths.plan, { id: next }), { replace: true })
      }}
      onError={error => {
        // This card has already had a trial: load the prices without one. The error stays at the field.
        if (error.code === 'trial_used') refreshBilling()
        // The plan was set in another tab: show it.
        if (error.code === 'plan_taken') {
          refreshBilling()
          void checkSession()
        }
        return change.handleError(error)
      }}
      buttonText={payText(plan, price, t)}
      callback={finishFirstPlan}
    >
      {plan && <PlanSummary plan={plan} seats={seats} price={price} />}
      {change.isChanged && <PriceChanged />}
    </Form>
  )
}

function finishFirstPlan(chosen: Chosen): void {
  // The form handles bank confirmations itself; only a saved plan is of interest here.
  if (!('plan' in chosen)) return
  const { plan, subscription, onboarded } = chosen
  mergeSession({ plan, subscription, onboarded })
  refreshBilling()
  navigate(onboarded ? paths.dashboard : paths.welcome, { replace: true })
}
