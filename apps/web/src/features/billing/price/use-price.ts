import type { PlanPreview } from '@plinth/contract'
import type { PlanId } from '@plinth/contract/plans'
import { api } from '../../../lib/api/client.ts'
import { type Refused, useApi } from '../../../lib/data/query.ts'

export type Preview = PlanPreview

export type PreviewState = {
  /** None where the server refuses to name a price. */
  data: Preview | undefined
  failed: boolean
  refused: Refused | undefined
  retry: () => void
}

export type Price = {
  /** With the code, or without one, or without one that is refused. */
  preview: PreviewState
  /** Whether a code is being looked up, or is in the price. */
  coded: boolean
  /** What the server says against the code. */
  refused: string | undefined
  /** Looks the same code up once more. */
  again: () => void
}

/**
 * What a choice costs.
 * @param plan null where there is nothing to ask
 * @param code as it was applied; empty for none
 */
export function usePrice(plan: PlanId | null, code: string): Price {
  const withCode = plan && code ? { query: { plan, promotion_code: code } } : null
  const applied = useApi(api.billing.previewPlan, withCode, {
    field: 'promotion_code',
    inPlace: true,
    limited: true,
  })
  const coded = withCode !== null && applied.refusal === undefined
  const without = useApi(api.billing.previewPlan, plan && !coded ? { query: { plan } } : null, {
    inPlace: true,
    fresh: true,
  })
  return {
    preview: shown(coded ? applied : without),
    coded,
    refused: withCode ? applied.refusal : undefined,
    again: applied.retry,
  }
}

/** A price read earlier is hidden when the server refuses it now, unless the refusal only asks to wait. */
const shown = (price: PreviewState): PreviewState =>
  price.refused && !price.refused.canRetry ? { ...price, data: undefined } : price
