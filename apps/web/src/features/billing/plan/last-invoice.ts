import { money } from '../../../lib/i18n/format.ts'
import type { Translate } from '../../../lib/i18n/translate.ts'
import type { Plan } from '../price/plan-texts.ts'

/** What is billed when a plan ends: what waits for that day so far, and usage until then. */
export function lastInvoiceTexts(
  plan: Plan,
  last: { amount: number | null; currency: string } | undefined,
  t: Translate,
): string[] {
  const amount = last?.amount ? money(last.amount, last.currency) : null
  return [
    ...(amount ? [t('billing.end.last', { amount })] : []),
    ...(plan.type === 'tiered' ? [t('billing.end.usage')] : []),
  ]
}
