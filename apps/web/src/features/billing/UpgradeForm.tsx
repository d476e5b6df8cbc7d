import type { Contract, Reply } from '@plinth/contract'
import { type ComponentProps, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { refresh } from '../../lib/api/query.ts'
import { Form } from '../../lib/form/Form.tsx'
import { money } from '../../lib/i18n/format.ts'
import { type Translate, useT } from '../../lib/i18n/translate.ts'
import { navigate, useQueryValue } from '../../lib/navigate.ts'
import { paths, withQuery } from '../../lib/paths.ts'
import { mergeSession } from '../../lib/session/store.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import { Well } from '../../ui/Well.tsx'
import { track } from '../events/track.ts'
import { codeOf } from './CodeField.tsx'
import type { Subscription } from './CurrentPlan.tsx'
import { brandName } from './card/card-checks.ts'
import { codeInput } from './code-input.tsx'
import { PlanSummary } from './PlanSummary.tsx'
import { PriceLines } from './PriceLines.tsx'
import { planInput } from './plan-input.tsx'
import { chooseText, type Plan, reckonedText } from './plan-texts.ts'
import { type Price, usePrice } from './price.ts'
import { tokenInput } from './token-input.tsx'
import { isRunning, preselected, upgrades } from './upgrade-choice.ts'

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
  const [chosen, setChosen] = useState(() => preselected(plans, wanted, subscription)?.id)
  const plan = plans.find(({ id }) => id === chosen)
  const seats = Math.max(1, subscription.seats)
  const there = plan !== undefined && isRunning(subscription) && plan.id === subscription.plan
  // What runs is changed, and only the provider knows what of it is paid for already; anything else starts anew.
  const changes = isRunning(subscription) && subscription.plan !== 'free'
  const [code, setCode] = useState('')
  const price = usePrice(plan && !there ? plan.id : null, code, true)
  const { preview } = price

  function finish(answer: Reply<Contract['billing']['upgrade']>): void {
    // The form has seen to whatever the bank asked; what is left is a change that was made.
    if (!('plan' in answer)) return
    track('upgraded', { plan: answer.plan })
    mergeSession({ plan: answer.plan, subscription: answer.subscription })
    const { billing } = api
    refresh(
      billing.plans,
      billing.subscription,
      billing.previewPlan,
      billing.card,
      billing.invoices,
      billing.usage,
    )
    onDone(plans.find(({ id }) => id === answer.plan)?.name ?? answer.plan)
  }

  return (
    <Form
      inputs={{
        plan: planInput(upgrades(plans), plan?.id, t),
        ...(!there && {
          token: tokenInput(brand, t),
          promotion_code: codeInput({ price, replaces: changes }, t),
        }),
      }}
      extra={preview.data?.proration_date ? { proration_date: preview.data.proration_date } : {}}
      call={api.billing.upgrade}
      onChange={values => {
        setBrand(brandName(values.token))
        setCode(codeOf(values.promotion_code).applied)
        const next = plans.find(({ id }) => id === values.plan)?.id
        // What is no news must not lead back here: a form may speak once more while its screen goes.
        if (!next || next === chosen) return
        setChosen(next)
        navigate(withQuery(paths.upgrade, { plan: next }), { replace: true })
      }}
      onError={error => {
        // The card has had its trial: the prices without one come, and the server's words stay at the field.
        if (error.code === 'trial_used') refresh(api.billing.plans, api.billing.previewPlan)
        return false
      }}
      buttonText={there ? undefined : buttonOf(plan, seats, price, changes, t)}
      actions={there ? null : <ButtonLink href={paths.billing}>{t('billing.upgrade.cancel')}</ButtonLink>}
      callback={finish}
    >
      {there && <AlreadyThere plan={plan.name} />}
      {plan &&
        !there &&
        (changes ? (
          <WhatChangeCosts {...preview} />
        ) : (
          <PlanSummary plan={plan} seats={seats} price={price} />
        ))}
    </Form>
  )
}

/** The words say what is paid; nobody presses a button before that is known. */
function buttonOf(
  plan: Plan | undefined,
  seats: number,
  price: Price,
  changes: boolean,
  t: Translate,
): string | undefined {
  if (!plan || !changes) return plan ? reckonedText(plan, price, t) : chooseText(plan, seats, t)
  const { preview } = price
  if (!preview.data) return undefined
  const { due_now, currency } = preview.data
  return due_now > 0
    ? t('billing.button.pay', { amount: money(due_now, currency) })
    : t('billing.change.do', { plan: plan.name })
}

const WhatChangeCosts = (price: ComponentProps<typeof PriceLines>) => (
  <Well className="stack">
    <PriceLines {...price} />
  </Well>
)

function AlreadyThere({ plan }: { plan: string }) {
  const t = useT()
  return (
    <Alert
      title={t('billing.upgrade.there', { plan })}
      action={<ButtonLink href={paths.billing}>{t('billing.upgrade.to_billing')}</ButtonLink>}
    >
      {t('billing.upgrade.there_text')}
    </Alert>
  )
}
