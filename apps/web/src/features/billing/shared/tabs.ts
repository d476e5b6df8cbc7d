import { navigate, useQueryValue } from '../../../lib/navigate.ts'
import { paths, withQuery } from '../../../lib/paths.ts'

const tabs = ['plan', 'card', 'invoices'] as const
export type BillingTab = (typeof tabs)[number]

/** The free plan has no card and no invoices. */
export const tabsOf = (plan: string | null): readonly BillingTab[] =>
  plan === null || plan === 'free' ? ['plan'] : tabs

/** The URL of a tab. It keeps the selected plan, so that switching tabs does not lose the selection. */
export const tabPath = (tab: BillingTab, plan: string | null = null): string =>
  withQuery(paths.billing, { tab: tab === 'plan' ? null : tab, plan })

/** The tab and the selected plan in the URL; a reload and the Back button keep both. */
export function useBillingTab(plan: string | null) {
  const wanted = useQueryValue('tab')
  const chosen = useQueryValue('plan')
  const shown = tabsOf(plan)
  return {
    shown,
    tab: shown.find(tab => tab === wanted) ?? 'plan',
    chosen,
    open: (tab: string) => navigate(tabPath(shown.find(other => other === tab) ?? 'plan', chosen)),
  }
}

/** Writes the selected plan into the URL; null removes it. */
export const setChosenPlan = (plan: string | null): void => navigate(tabPath('plan', plan), { replace: true })
