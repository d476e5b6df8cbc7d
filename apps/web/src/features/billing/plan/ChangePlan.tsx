import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { custom } from '../../../lib/inputs/more-inputs.tsx'
import { useQueryValue } from '../../../lib/navigate.ts'
import { PriceChanged, putPreview, usePriceChange } from '../price/PriceChanged.tsx'
import { promotionCodeOf } from '../price/PromotionCodeField.tsx'
import type { Plan } from '../price/plan-texts.ts'
import { promotionCodeInput } from '../price/promotion-code-input.tsx'
import { usePrice } from '../price/use-price.ts'
import { refreshBilling } from '../shared/refresh-billing.ts'
import { setChosenPlan } from '../shared/tabs.ts'
import { bannerOf } from '../status/banner.ts'
import type { Subscription } from '../status/subscription.ts'
import { applyPlanChange } from './apply-plan-change.ts'
import { ChoicePanel } from './ChangePlanPanels.tsx'
import { PayField } from './PayField.tsx'

type Props = { plans: readonly Plan[]; plan: Plan; subscription: Subscription }

/** The code and what it makes of the price stand under each other, beside the choice. */
const besideBoth = 'min-[1101px]:[&>form>fieldset>:first-child]:row-span-2'

/** Another plan for a subscription that is paid for. What it costs stands there before anything can be pressed. */
export function ChangePlan({ plans, plan, subscription }: Props) {
  const t = useT()
  const wanted = useQueryValue('plan')
  const [choice, setChoice] = useState(wanted)
  const [round, setRound] = useState(0)
  const chosen = plans.find(({ id }) => id === choice) ?? plan
  const costs = chosen.id !== plan.id && chosen.price > 0 && !bannerOf(subscription.status)
  const [code, setCode] = useState('')
  const ends = chosen.id !== plan.id && chosen.price === 0
  const price = usePrice(costs || ends ? chosen.id : null, code)
  const { preview } = price
  const isInForce = chosen.id === plan.id || preview.data?.when === 'none'
  const quote = preview.data?.quote
  const change = usePriceChange(data => putPreview(data, code))

  function pick(id: string): void {
    const next = id === plan.id ? null : id
    setChoice(next)
    change.clear()
    setChosenPlan(next)
  }

  return (
    <div
      className={`min-[1101px]:[&>form>fieldset]:grid-cols-[minmax(0,1fr)_360px] [&>form>fieldset]:items-start [&>form>fieldset]:gap-5 ${costs ? besideBoth : ''}`}
    >
      <Form
        // After a change the choice starts from the plan in force.
        key={round}
        inputs={{
          plan: custom({
            label: t('billing.plan.label'),
            value: chosen.id,
            // A changed plan in force can change what is chosen; what is sent is always what is shown.
            send: () => chosen.id,
            render: ({ name, onChange, disabled, error }) => (
              <ChoicePanel
                {...{ plans, plan, name, disabled, error }}
                value={chosen.id}
                onChange={id => {
                  pick(id)
                  onChange(id)
                }}
              />
            ),
          }),
          ...(costs && { promotion_code: promotionCodeInput({ price, replaces: true }, t) }),
          // The card on file pays, so there is nothing to type; what is wrong with it is told where it is named.
          token: {
            ...custom({
              label: t('billing.card.label'),
              value: null,
              render: control => (
                <PayField
                  {...{ control, plan, chosen, subscription, preview }}
                  notice={change.isChanged && <PriceChanged nowOn={isInForce ? chosen.name : undefined} />}
                />
              ),
            }),
            card: true,
          },
        }}
        extra={quote ? { quote } : {}}
        call={api.billing.changePlan}
        onChange={values => setCode(promotionCodeOf(values.promotion_code).applied)}
        onError={error => {
          if (change.take(error)) return true
          // Another tab, or the clock, may have made the price out of date: it comes anew beside what was refused.
          refreshBilling()
          return false
        }}
        callback={answer => {
          setChosenPlan(null)
          setChoice(null)
          setCode('')
          change.clear()
          setRound(round + 1)
          applyPlanChange(answer, t('billing.change.done', { plan: chosen.name }))
        }}
      />
    </div>
  )
}
