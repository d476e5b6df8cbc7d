import { api } from '../../../lib/api/client.ts'
import { refresh } from '../../../lib/data/query.ts'

/** Reads all billing data again: a changed plan, card or number of seats, and a stale price, concern every part of it. */
export function refreshBilling(): void {
  const { subscription, plans, previewPlan, card, invoices, upcoming, usage } = api.billing
  refresh(subscription, plans, previewPlan, card, invoices, upcoming, usage)
}
