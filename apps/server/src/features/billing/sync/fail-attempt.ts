import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services, Tx } from '../../../context.ts'
import * as attempts from '../core/attempt-store.ts'
import * as store from '../core/store.ts'

/**
 * Ends an open attempt as failed, under the account's lock.
 * @param code the refusal that the user sees
 */
export async function failAttempt(
  services: Services,
  tx: Tx,
  account: { id: string; trialed_at: Date | null },
  attempt: { account_id: string; id: string },
  code: RefusalCode,
) {
  const now = services.now()
  if (!(await attempts.endAttempt(tx, attempt, { state: 'failed', failure: code, updated_at: now }))) return
  // The unused trial is free again for this account and this card.
  if (!account.trialed_at) await attempts.releaseTrial(tx, account.id)
  // Another account used the trial of this card: offer this account none.
  if (code === 'trial_used')
    await store.updateAccount(tx, account.id, { trialed_at: account.trialed_at ?? now })
}
