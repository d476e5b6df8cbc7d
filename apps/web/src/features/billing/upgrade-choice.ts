import type { Plan } from './plan-texts.ts'

/** Who has a plan already, and whether it runs. */
export type Standing = { plan: string | null; status: string | null }

/** What can be upgraded to. */
export const upgrades = (plans: readonly Plan[]): Plan[] => plans.filter(({ id }) => id !== 'free')

export const isRunning = ({ status }: Standing): boolean => status === 'active' || status === 'trialing'

/** A payment is open, and the card or the bank behind it. */
export const isDue = ({ status }: Pick<Standing, 'status'>): boolean =>
  status === 'requires_payment_method' || status === 'requires_action'

/** The plan of the address where it is one, otherwise what whoever stands there most likely came for. */
export function preselected(
  plans: readonly Plan[],
  wanted: string | null,
  standing: Standing,
): Plan | undefined {
  const choices = upgrades(plans)
  return choices.find(({ id }) => id === wanted) ?? likely(plans, choices, standing)
}

/** A plan that runs is left for the next dearer one; one that does not is taken up again. */
function likely(plans: readonly Plan[], choices: readonly Plan[], standing: Standing): Plan | undefined {
  const now = plans.find(({ id }) => id === standing.plan)
  if (isRunning(standing)) {
    const above = now ? plans.slice(plans.indexOf(now) + 1) : choices
    return above.find(plan => monthly(plan) > (now ? monthly(now) : 0))
  }
  return choices.find(({ id }) => id === now?.id) ?? choices[0]
}

/** Minor units. A year at once costs less a month than twelve of them. */
const monthly = ({ price, interval }: Plan): number => (interval === 'year' ? price / 12 : price)
