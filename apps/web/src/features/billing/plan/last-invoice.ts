import { money } from '../../../lib/i18n/format.ts'
import type { Translate } from '../../../lib/i18n/translate.ts'
import type { Plan } from '../price/plan-texts.ts'

/** Texts about the last invoice of a plan that ends: the amount so far and the usage until then. */
export function lastInvoiceTexts(
  plan: Plan,
  lastInvoice: { amount: number | null; currency: string } | undefined,
  t: Translate,
): string[] {
  const amount = lastInvoice?.amount ? money(lastInvoice.amount, lastInvoice.currency) : null
  return [
    ...(amount ? [t('billing.end.last', { amount })] : []),
    ...(plan.type === 'tiered' ? [t('billing.end.usage')] : []),
  ]
}
