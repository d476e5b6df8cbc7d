import type { Received, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'

export async function previewPlan(
  _ctx: SignedIn,
  _asked: Received<(typeof billing)['previewPlan']>['query'],
): Promise<Reply<(typeof billing)['previewPlan']>> {
  throw new Refusal('payment_provider_down')
}
