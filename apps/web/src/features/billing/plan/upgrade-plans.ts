import type { Plan } from '../price/plan-texts.ts'
import { isRunning, type Subscription } from '../status/subscription.ts'

/** The plans to upgrade to. */
export const paidPlans = (plans: readonly Plan[]): Plan[] => plans.filter(({ id }) => id !== 'free')

/** The plan named in the URL if it can be bought, otherwise a suggestion. */
export function preselectPlan(
  plans: readonly Plan[],
  wanted: string | null,
  subscription: Pick<Subscription, 'plan' | 'status'>,
): Plan | undefined {
  const choices = paidPlans(plans)
  return choices.find(({ id }) => id === wanted) ?? suggestPlan(plans, choices, subscription)
}

/** With a running subscription the next more expensive plan, otherwise the plan that ended or is due. */
function suggestPlan(
  plans: readonly Plan[],
  choices: readonly Plan[],
  subscription: Pick<Subscription, 'plan' | 'status'>,
): Plan | undefined {
  const now = plans.find(({ id }) => id === subscription.plan)
  if (isRunning(subscription)) {
    const above = now ? plans.slice(plans.indexOf(now) + 1) : choices
    return above.find(plan => monthlyPrice(plan) > (now ? monthlyPrice(now) : 0))
  }
  return choices.find(({ id }) => id === now?.id) ?? choices[0]
}

/** The price per month in minor units, so that yearly and monthly plans compare. */
const monthlyPrice = ({ price, interval }: Plan): number => (interval === 'year' ? price / 12 : price)
