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
import { PriceChanged, putPreview, usePriceChange } from '../price/PriceChanged.tsx'
import { promotionCodeOf } from '../price/PromotionCodeField.tsx'
import { type Plan, payText } from '../price/plan-texts.ts'
import { promotionCodeInput } from '../price/promotion-code-input.tsx'
import { usePrice } from '../price/use-price.ts'
import { refreshBilling } from '../shared/refresh-billing.ts'
import { planInput } from './plan-input.tsx'

type Chosen = Reply<Contract['billing']['choosePlan']>

/** The first plan. The choice stands in the address, so a reload keeps it and a link can preselect it. */
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
  const costs = plan !== undefined && plan.price > 0
  const price = usePrice(costs ? plan.id : null, code)
  const quote = price.preview.data?.quote
  const change = usePriceChange(data => putPreview(data, code))
  return (
    <Form
      large
      inputs={{
        plan: planInput(plans, plan?.id, t, isCanceled ? null : active),
        ...(costs && { token: newCardInput(brand, t), promotion_code: promotionCodeInput({ price }, t) }),
      }}
      extra={costs && quote ? { quote } : {}}
      call={api.billing.choosePlan}
      onChange={values => {
        setBrand(brandOfInput(values.token))
        setCode(promotionCodeOf(values.promotion_code).applied)
        const next = plans.find(({ id }) => id === values.plan)?.id
        // What is no news must not lead back here: a form may speak once more while its screen goes.
        if (!next || next === chosen) return
        change.clear()
        setChosen(next)
        navigate(withQuery(paths.plan, { id: next }), { replace: true })
      }}
      onError={error => {
        // The card has had its trial: the prices without one come, and the server's words stay at the field.
        if (error.code === 'trial_used') refreshBilling()
        // Chosen in another tab: the page shows the plan that runs.
        if (error.code === 'plan_taken') {
          refreshBilling()
          void checkSession()
        }
        return change.take(error)
      }}
      buttonText={payText(plan, price, t)}
      callback={moveOn}
    >
      {plan && <PlanSummary plan={plan} seats={seats} price={price} />}
      {change.isChanged && <PriceChanged />}
    </Form>
  )
}

function moveOn(chosen: Chosen): void {
  // The form has seen to whatever the bank asked; what is left is a choice that was made.
  if (!('plan' in chosen)) return
  const { plan, subscription, onboarded } = chosen
  mergeSession({ plan, subscription, onboarded })
  refreshBilling()
  navigate(onboarded ? paths.dashboard : paths.welcome, { replace: true })
}
