import type { Received, Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'

export async function changePlan(
  _ctx: SignedIn,
  _asked: Received<(typeof billing)['changePlan']>['body'],
): Promise<Reply<(typeof billing)['changePlan']>> {
  throw new Refusal('payment_provider_down')
}

export async function upgrade(
  _ctx: SignedIn,
  _asked: Received<(typeof billing)['upgrade']>['body'],
): Promise<Reply<(typeof billing)['upgrade']>> {
  throw new Refusal('payment_provider_down')
}
