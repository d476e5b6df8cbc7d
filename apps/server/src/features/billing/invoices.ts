import type { Received, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'

export async function listInvoices(
  _ctx: SignedIn,
  _asked: Received<(typeof billing)['invoices']>['query'],
): Promise<Reply<(typeof billing)['invoices']>> {
  throw new Refusal('payment_provider_down')
}
