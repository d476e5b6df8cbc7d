import type { RefusalCode } from '@plinth/contract/refusals'
import type { Services, Tx } from '../../../context.ts'
import * as attempts from '../core/attempt-store.ts'
import * as store from '../core/store.ts'

/**
 * Ends an open attempt that came to nothing, under the account's lock. One that has ended already stays as it is.
 * @param code the refusal that the visitor is told
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
  // The trial that was not had is still to be had, by this account and this card.
  if (!account.trialed_at) await attempts.releaseTrial(tx, account.id)
  // The card has had its trial elsewhere: from now on this account is offered none.
  if (code === 'trial_used')
    await store.updateAccount(tx, account.id, { trialed_at: account.trialed_at ?? now })
}
