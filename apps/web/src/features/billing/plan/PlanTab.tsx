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

/** The current plan, its usage and the form to change it. */
export function PlanTab({ plans, subscription }: Props) {
  const plan = plans.find(({ id }) => id === subscription.plan)
  // Support staff who impersonate a user must not change the plan.
  const mayChange = !useSignedIn().support_until
  const { status } = subscription
  return (
    <>
      {plan && <PlanEndNotice plan={plan} subscription={subscription} mayChange={mayChange} />}
      {plan && <CurrentPlan plan={plan} subscription={subscription} />}
      {plan?.type === 'tiered' && status !== 'canceled' && <UsageSummary plan={plan} />}
      {plan && mayChange && status !== 'canceled' && status !== null && (
        <PlanChoice plans={plans} plan={plan} subscription={subscription} />
      )}
      {plan?.id === 'free' && <PastInvoices />}
      <SupportLine text="billing.now.support" className="t13 ink2" />
    </>
  )
}

/** The upgrade page asks for the first card; accounts with a card change the plan here. */
function PlanChoice({ plan, ...props }: Props & { plan: Plan }) {
  if (plan.price === 0) return <ChooseUpgrade plans={props.plans} plan={plan} />
  return <ChangePlan {...props} plan={plan} />
}
