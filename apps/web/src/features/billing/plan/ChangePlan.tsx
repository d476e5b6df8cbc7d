import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { custom } from '../../../lib/inputs/more-inputs.tsx'
import { useQueryValue } from '../../../lib/navigate.ts'
import { PriceChanged, storePreview, usePriceChange } from '../price/PriceChanged.tsx'
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

/** The plan list spans two rows, beside the promotion code and the price below it. */
const spanTwoRows = 'min-[1101px]:[&>form>fieldset>:first-child]:row-span-2'

/** Changes a paid plan. The price is shown before the button is enabled. */
export function ChangePlan({ plans, plan, subscription }: Props) {
  const t = useT()
  const wanted = useQueryValue('plan')
  const [choice, setChoice] = useState(wanted)
  const [formKey, setFormKey] = useState(0)
  const chosen = plans.find(({ id }) => id === choice) ?? plan
  const isPaidChange = chosen.id !== plan.id && chosen.price > 0 && !bannerOf(subscription.status)
  const [code, setCode] = useState('')
  const endsPlan = chosen.id !== plan.id && chosen.price === 0
  const price = usePrice(isPaidChange || endsPlan ? chosen.id : null, code)
  const { preview } = price
  const isCurrent = chosen.id === plan.id || preview.data?.when === 'none'
  const quote = preview.data?.quote
  const change = usePriceChange(data => storePreview(data, code))

  function selectPlan(id: string): void {
    const next = id === plan.id ? null : id
    setChoice(next)
    change.clear()
    setChosenPlan(next)
  }

  return (
    <div
      className={`min-[1101px]:[&>form>fieldset]:grid-cols-[minmax(0,1fr)_360px] [&>form>fieldset]:items-start [&>form>fieldset]:gap-5 ${isPaidChange ? spanTwoRows : ''}`}
    >
      <Form
        // A new key resets the form to the current plan after a change.
        key={formKey}
        inputs={{
          plan: custom({
            label: t('billing.plan.label'),
            value: chosen.id,
            // The current plan may change in another tab, and with it the selection: send the one shown.
            send: () => chosen.id,
            render: ({ name, onChange, disabled, error }) => (
              <ChoicePanel
                {...{ plans, plan, name, disabled, error }}
                value={chosen.id}
                onChange={id => {
                  selectPlan(id)
                  onChange(id)
                }}
              />
            ),
          }),
          ...(isPaidChange && { promotion_code: promotionCodeInput({ price, replaces: true }, t) }),
          // The saved card pays, so this input only shows the price, the button and card errors.
          token: {
            ...custom({
              label: t('billing.card.label'),
              value: null,
              render: control => (
                <PayField
                  {...{ control, plan, chosen, subscription, preview }}
                  notice={
                    change.isChanged && <PriceChanged currentPlan={isCurrent ? chosen.name : undefined} />
                  }
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
          if (change.handleError(error)) return true
          // The price may be out of date, so load it again.
          refreshBilling()
          return false
        }}
        callback={answer => {
          setChosenPlan(null)
          setChoice(null)
          setCode('')
          change.clear()
          setFormKey(formKey + 1)
          applyPlanChange(answer, t('billing.change.done', { plan: chosen.name }))
        }}
      />
    </div>
  )
}
