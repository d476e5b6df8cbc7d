import { type PlanId, planOf } from '@plinth/contract/plans'
import { count, finePrice } from '../../../lib/i18n/format.ts'
import type { Translate } from '../../../lib/i18n/translate.ts'

type Line = { label: string; value: string }
type Priced = { id: PlanId; currency: { code: string } }

/** The included usage, then each tier with a price. Empty for a plan without usage prices. */
export function usageLines(plan: Priced, t: Translate): Line[] {
  const tiers = planOf(plan.id).metered?.tiers ?? []
  return tiers.flatMap(({ unit_amount_decimal: price, up_to }, index) => {
    const over = tiers[index - 1]?.up_to
    if (Number(price) === 0)
      return up_to
        ? [
            {
              label: t('billing.sum.usage_included'),
              value: t('billing.sum.included', { included: count(up_to) }),
            },
          ]
        : []
    return [
      {
        label: t('billing.sum.usage', { over: count(over ?? 0) }),
        value: t('billing.sum.usage_each', { price: finePrice(price, plan.currency.code) }),
      },
    ]
  })
}

/** Included usage and first tier price in one sentence; null for a plan without usage prices. */
export function usageSentence(plan: Priced, t: Translate): string | null {
  const [first, ...rest] = planOf(plan.id).metered?.tiers ?? []
  const next = rest[0]
  if (!first?.up_to || !next) return null
  return t('billing.plan.usage', {
    included: count(first.up_to),
    price: finePrice(next.unit_amount_decimal, plan.currency.code),
  })
}
