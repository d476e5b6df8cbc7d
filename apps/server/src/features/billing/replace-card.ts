import type { Received, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'

export async function replaceCard(
  _ctx: SignedIn,
  _asked: Received<(typeof billing)['replaceCard']>['body'],
): Promise<Reply<(typeof billing)['replaceCard']>> {
  throw new Refusal('payment_provider_down')
}
