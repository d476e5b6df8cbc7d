import { useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { Form } from '../../lib/form/Form.tsx'
import { custom } from '../../lib/form/more-inputs.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { useQueryValue } from '../../lib/navigate.ts'
import { bannerOf } from './banner.ts'
import { ChoicePanel } from './ChangePanels.tsx'
import { codeOf } from './CodeField.tsx'
import type { Subscription } from './CurrentPlan.tsx'
import { readAgain, settle } from './changed.ts'
import { codeInput } from './code-input.tsx'
import { PayField } from './PayField.tsx'
import type { Plan } from './plan-texts.ts'
import { usePrice } from './price.ts'
import { putPreview, usePriceChange } from './price-changed.tsx'
import { choose } from './tabs.ts'

type Props = { plans: readonly Plan[]; plan: Plan; subscription: Subscription }

/** The code and what it makes of the price stand under each other, beside the choice. */
const besideBoth = 'min-[1101px]:[&>form>fieldset>:first-child]:row-span-2'

/** Another plan for a subscription that is paid for. What it costs stands there before anything can be pressed. */
export function ChangePlan({ plans, plan, subscription }: Props) {
  const t = useT()
  const wanted = useQueryValue('plan')
  const [choice, setChoice] = useState(wanted)
  const chosen = plans.find(({ id }) => id === choice) ?? plan
  const costs = chosen.id !== plan.id && chosen.price > 0 && !bannerOf(subscription.status)
  const [code, setCode] = useState('')
  const ends = chosen.id !== plan.id && chosen.price === 0
  const price = usePrice(costs || ends ? chosen.id : null, code)
  const { preview } = price
  const quote = preview.data?.quote
  const change = usePriceChange(data => putPreview(data, code))
  return (
    <div
      className={`min-[1101px]:[&>form>fieldset]:grid-cols-[minmax(0,1fr)_360px] [&>form>fieldset]:items-start [&>form>fieldset]:gap-5 ${costs ? besideBoth : ''}`}
    >
      <Form
        inputs={{
          plan: custom({
            label: t('billing.plan.label'),
            value: chosen.id,
            render: ({ name, value, onChange, disabled, error }) => (
              <ChoicePanel {...{ plans, plan, name, onChange, disabled, error }} value={String(value)} />
            ),
          }),
          ...(costs && { promotion_code: codeInput({ price, replaces: true }, t) }),
          // The card on file pays, so there is nothing to type; what is wrong with it is told where it is named.
          token: {
            ...custom({
              label: t('billing.card.label'),
              value: null,
              render: control => (
                <PayField {...{ control, plan, chosen, subscription, preview }} notice={change.notice} />
              ),
            }),
            card: true,
          },
        }}
        extra={quote ? { quote } : {}}
        call={api.billing.changePlan}
        onChange={values => {
          setCode(codeOf(values.promotion_code).applied)
          const next = String(values.plan)
          // What is no news must not lead back here: a form may speak once more while its screen goes.
          if (next === chosen.id) return
          setChoice(next)
          change.clear()
          choose(next === plan.id ? null : next)
        }}
        onError={error => {
          if (change.take(error)) return true
          // Another tab, or the clock, may have made the price out of date: it comes anew beside what was refused.
          readAgain()
          return false
        }}
        callback={answer => {
          choose(null)
          settle(answer, t('billing.change.done', { plan: chosen.name }))
        }}
      />
    </div>
  )
}
