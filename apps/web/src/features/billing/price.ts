import type { PlanPreview } from '@plinth/contract'
import type { PlanId } from '@plinth/contract/plans'
import { api } from '../../lib/api/client.ts'
import { useApi } from '../../lib/api/query.ts'

export type Preview = PlanPreview

export type Price = {
  /** With the code, or without one, or without one that is refused. */
  preview: { data: Preview | undefined; failed: boolean; retry: () => void }
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
  const applied = useApi(api.billing.previewPlan, withCode, { field: 'promotion_code', limited: true })
  const coded = withCode !== null && applied.refusal === undefined
  const without = useApi(api.billing.previewPlan, plan && !coded ? { query: { plan } } : null, {
    fresh: true,
  })
  return {
    preview: coded ? applied : without,
    coded,
    refused: withCode ? applied.refusal : undefined,
    again: applied.retry,
  }
}
