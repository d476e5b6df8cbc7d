import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/billing'
import type { SignedIn } from '../../context.ts'
import { Refusal } from '../../lib/refusal.ts'

export async function readCard(_ctx: SignedIn): Promise<Reply<(typeof billing)['card']>> {
  throw new Refusal('payment_provider_down')
}
