import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { Tabs } from '../../ui/layout/Tabs.tsx'
import { CardTab } from './card/CardTab.tsx'
import { InvoicesTab } from './invoices/InvoicesTab.tsx'
import { PlanTab } from './plan/PlanTab.tsx'
import type { Plan } from './price/plan-texts.ts'
import { type BillingTab, useBillingTab } from './shared/tabs.ts'
import type { Subscription } from './status/subscription.ts'

type Props = { plans: readonly Plan[]; subscription: Subscription }

/** Tabs for the plan, the card and the invoices; the free plan has the first one only. */
export function BillingTabs({ plans, subscription }: Props) {
  const t = useT()
  const { shown, tab, open } = useBillingTab(subscription.plan)
  const contents: Record<BillingTab, () => ReactNode> = {
    plan: () => <PlanTab plans={plans} subscription={subscription} />,
    card: () => <CardTab subscription={subscription} />,
    invoices: () => <InvoicesTab />,
  }
  return (
    <Tabs
      label={t('billing.tabs.label')}
      value={tab}
      onChange={open}
      items={shown.map(value => ({
        value,
        label: t(`billing.tabs.${value}`),
        content: <div className="stack stack-5">{contents[value]()}</div>,
      }))}
    />
  )
}
