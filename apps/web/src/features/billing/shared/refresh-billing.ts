import { api } from '../../../lib/api/client.ts'
import { refresh } from '../../../lib/data/query.ts'

/** Reads all billing data again after a change of the plan, the card, the seats or a price. */
export function refreshBilling(): void {
  const { subscription, plans, previewPlan, card, invoices, upcoming, usage } = api.billing
  refresh(subscription, plans, previewPlan, card, invoices, upcoming, usage)
}
