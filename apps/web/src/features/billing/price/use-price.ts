import type { PlanPreview } from '@plinth/contract'
import type { PlanId } from '@plinth/contract/plans'
import { api } from '../../../lib/api/client.ts'
import { type Refused, useApi } from '../../../lib/data/query.ts'

export type Preview = PlanPreview

export type PreviewState = {
  /** Undefined while the price loads or when the server refuses it. */
  data: Preview | undefined
  failed: boolean
  refused: Refused | undefined
  retry: () => void
}

export type PlanPrice = {
  /** The price with the promotion code, or without it when the code is empty or refused. */
  preview: PreviewState
  /** The preview includes the promotion code, or will once it has loaded. */
  hasCode: boolean
  /** Why the server refuses the promotion code. */
  codeRefusal: string | undefined
  retryCode: () => void
}

/**
 * Loads the price of a plan.
 * @param plan null when no price is needed
 * @param code the applied promotion code; empty for none
 */
export function usePrice(plan: PlanId | null, code: string): PlanPrice {
  const withCode = plan && code ? { query: { plan, promotion_code: code } } : null
  const applied = useApi(api.billing.previewPlan, withCode, {
    field: 'promotion_code',
    inPlace: true,
    limited: true,
  })
  const hasCode = withCode !== null && applied.refusal === undefined
  const without = useApi(api.billing.previewPlan, plan && !hasCode ? { query: { plan } } : null, {
    inPlace: true,
    fresh: true,
  })
  return {
    preview: hideRefused(hasCode ? applied : without),
    hasCode,
    codeRefusal: withCode ? applied.refusal : undefined,
    retryCode: applied.retry,
  }
}

/** Hides a cached price when the server refuses it now, except when the refusal is a rate limit. */
const hideRefused = (price: PreviewState): PreviewState =>
  price.refused && !price.refused.canRetry ? { ...price, data: undefined } : price
