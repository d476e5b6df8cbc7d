import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n/translate.ts'
import { Badge } from '../../../ui/base/Badge.tsx'
import { type PlanOption, PlanPicker } from '../../../ui/form/PlanPicker.tsx'
import { type Plan, planOptions } from '../price/plan-texts.ts'
import { Panel } from '../shared/Panel.tsx'

/** The plan list and the price: side by side on wide screens. */
export const twoPanels = 'grid items-start gap-5 min-[1101px]:grid-cols-[minmax(0,1fr)_360px]'

type ChoiceProps = {
  plans: readonly Plan[]
  /** The current plan. */
  plan: Plan
  name?: string
  value: string
  onChange: (id: string) => void
  disabled?: boolean
  error?: string | undefined
}

export function ChoicePanel({ plans, plan, ...picker }: ChoiceProps) {
  const t = useT()
  const currency = plan.currency.code.toUpperCase()
  const mark = (option: PlanOption): PlanOption =>
    option.value === plan.id ? { ...option, badge: <Badge>{t('billing.change.current')}</Badge> } : option
  return (
    <Panel
      title={t('billing.change.title')}
      aside={<span className="t13 ink3">{t('billing.change.stance', { currency })}</span>}
    >
      <PlanPicker {...picker} legend={t('billing.plan.label')} options={planOptions(plans, t).map(mark)} />
    </Panel>
  )
}

export function PayPanel({ children }: { children: ReactNode }) {
  const t = useT()
  return <Panel title={t('billing.change.pay_title')}>{children}</Panel>
}
