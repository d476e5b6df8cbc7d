import { useSignedIn } from '../../../lib/session/store.ts'
import { PastInvoices } from '../invoices/PastInvoices.tsx'
import type { Plan } from '../price/plan-texts.ts'
import { SupportLine } from '../shared/SupportLine.tsx'
import { CurrentPlan } from '../status/CurrentPlan.tsx'
import type { Subscription } from '../status/subscription.ts'
import { UsageSummary } from '../status/UsageSummary.tsx'
import { ChangePlan } from './ChangePlan.tsx'
import { ChooseUpgrade } from './ChooseUpgrade.tsx'
import { PlanEndNotice } from './PlanEndNotice.tsx'

type Props = { plans: readonly Plan[]; subscription: Subscription }

/** The plan in force, what was used of it, and another one in its place. */
export function PlanTab({ plans, subscription }: Props) {
  const plan = plans.find(({ id }) => id === subscription.plan)
  // Support that acts as somebody looks at the plan and leaves it alone.
  const mayChange = !useSignedIn().support_until
  const { status } = subscription
  return (
    <>
      {plan && <PlanEndNotice plan={plan} subscription={subscription} mayChange={mayChange} />}
      {plan && <CurrentPlan plan={plan} subscription={subscription} />}
      {plan?.type === 'tiered' && status !== 'canceled' && <UsageSummary plan={plan} />}
      {plan && mayChange && status !== 'canceled' && status !== null && (
        <Choice plans={plans} plan={plan} subscription={subscription} />
      )}
      {plan?.id === 'free' && <PastInvoices />}
      <SupportLine text="billing.now.support" className="t13 ink2" />
    </>
  )
}

/** A first card is asked for on a page of its own; with one, plans are changed here. */
function Choice({ plan, ...props }: Props & { plan: Plan }) {
  if (plan.price === 0) return <ChooseUpgrade plans={props.plans} plan={plan} />
  return <ChangePlan {...props} plan={plan} />
}
