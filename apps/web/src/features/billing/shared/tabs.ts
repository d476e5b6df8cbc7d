import { navigate, useQueryValue } from '../../../lib/navigate.ts'
import { paths, withQuery } from '../../../lib/paths.ts'

const tabs = ['plan', 'card', 'invoices'] as const
export type BillingTab = (typeof tabs)[number]

/** What the free plan has no use for is not there. */
export const tabsOf = (plan: string | null): readonly BillingTab[] =>
  plan === null || plan === 'free' ? ['plan'] : tabs

/** The address of a tab. The plan that was chosen and not yet taken comes along, so that nothing is lost on the way. */
export const tabPath = (tab: BillingTab, plan: string | null = null): string =>
  withQuery(paths.billing, { tab: tab === 'plan' ? null : tab, plan })

/** The tab and the chosen plan of the address: a reload and the way back keep both. */
export function useBillingTab(plan: string | null) {
  const wanted = useQueryValue('tab')
  const chosen = useQueryValue('plan')
  const shown = tabsOf(plan)
  return {
    shown,
    tab: shown.find(tab => tab === wanted) ?? 'plan',
    chosen,
    open: (tab: string) => navigate(tabPath(shown.find(one => one === tab) ?? 'plan', chosen)),
  }
}

/** Keeps the choice in the address; null takes it out again. */
export const setChosenPlan = (plan: string | null): void => navigate(tabPath('plan', plan), { replace: true })
