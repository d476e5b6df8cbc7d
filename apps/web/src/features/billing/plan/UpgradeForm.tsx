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
import { PriceChanged, putPreview, usePriceChange } from '../price/PriceChanged.tsx'
import { PriceLines } from '../price/PriceLines.tsx'
import { promotionCodeOf } from '../price/PromotionCodeField.tsx'
import { type Plan, payText } from '../price/plan-texts.ts'
import { promotionCodeInput } from '../price/promotion-code-input.tsx'
import { type Price, usePrice } from '../price/use-price.ts'
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
  /** With the name of the plan. */
  onDone: (plan: string) => void
}

/** The choice stands in the address, so a reload keeps it and a refusal can preselect what would do. */
export function UpgradeForm({ plans, subscription, onDone }: Props) {
  const t = useT()
  const wanted = useQueryValue('plan')
  const [brand, setBrand] = useState<string | null>(null)
  const [chosen, setChosen] = useState(() => preselectPlan(plans, wanted, subscription)?.id)
  const plan = plans.find(({ id }) => id === chosen)
  const seats = Math.max(1, subscription.seats)
  const there = plan !== undefined && isRunning(subscription) && plan.id === subscription.plan
  // What runs is changed, and only the provider knows what of it is paid for already; anything else starts anew.
  const changes = isRunning(subscription) && subscription.plan !== 'free'
  const [code, setCode] = useState('')
  const card = useApi(api.billing.card, changes && !there ? {} : null)
  const [other, setOther] = useState(false)
  // Only what runs can be charged to the card on file; anything else begins with a card.
  const onFile = changes && !other && card.data?.last4 ? card.data : null
  const waiting = changes && !there && card.loading
  const price = usePrice(plan && !there ? plan.id : null, code)
  const { preview } = price
  const quote = preview.data?.quote
  const change = usePriceChange(data => putPreview(data, code))

  function finish(answer: Reply<Contract['billing']['upgrade']>): void {
    // The form has seen to whatever the bank asked; what is left is a change that was made.
    if (!('plan' in answer)) return
    track('upgraded', { plan: answer.plan })
    mergeSession({ plan: answer.plan, subscription: answer.subscription })
    refreshBilling()
    onDone(plans.find(({ id }) => id === answer.plan)?.name ?? answer.plan)
  }

  // The card on file is taller than the field for a new one: what is below would move.
  if (waiting) return <UpgradeSkeleton />
  return (
    <Form
      inputs={{
        plan: planInput(paidPlans(plans), plan?.id, t),
        ...(!there && {
          token: onFile ? savedCardInput(onFile, () => setOther(true), t) : newCardInput(brand, t),
          promotion_code: promotionCodeInput({ price, replaces: changes }, t),
        }),
      }}
      extra={quote ? { quote } : {}}
      call={onFile ? api.billing.changePlan : api.billing.upgrade}
      onChange={values => {
        setBrand(brandOfInput(values.token))
        setCode(promotionCodeOf(values.promotion_code).applied)
        const next = plans.find(({ id }) => id === values.plan)?.id
        // What is no news must not lead back here: a form may speak once more while its screen goes.
        if (!next || next === chosen) return
        change.clear()
        setChosen(next)
        navigate(withQuery(paths.upgrade, { plan: next }), { replace: true })
      }}
      onError={error => {
        // The card has had its trial: the prices without one come, and the server's words stay at the field.
        if (error.code === 'trial_used') refreshBilling()
        return change.take(error)
      }}
      buttonText={there ? undefined : buttonOf(plan, price, changes, t)}
      actions={there ? null : <ButtonLink href={paths.billing}>{t('billing.upgrade.cancel')}</ButtonLink>}
      callback={finish}
    >
      {there && <PlanAlreadyActive plan={plan.name} />}
      {plan &&
        !there &&
        (changes ? (
          <>
            <ChangePrice {...preview} plan={plan} />
            <TrialEndsNotice plan={plan} status={subscription.status} />
          </>
        ) : (
          <PlanSummary plan={plan} seats={seats} price={price} />
        ))}
      {plan && !there && <OverLimits over={preview.data?.over} plan={plan.name} />}
      {change.isChanged && <PriceChanged nowOn={there ? plan.name : undefined} />}
    </Form>
  )
}

/** The words say what is paid; nobody presses a button before that is known. */
function buttonOf(plan: Plan | undefined, price: Price, changes: boolean, t: Translate): string | undefined {
  if (!plan || !changes) return payText(plan, price, t)
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
