import type { Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import * as attempts from '../core/attempt-store.ts'
import * as store from '../core/store.ts'

/**
 * The accounts of owners with one of these addresses whose paid plan the provider has never heard of. Only the seed
 * makes such rows, so nobody's own account is among them, whatever its address.
 */
export function findUnlinked(tx: Tx, emails: string[]) {
  return tx
    .selectFrom('accounts as a')
    .innerJoin('subscriptions as s', 's.account_id', 'a.id')
    .innerJoin('memberships as m', 'm.account_id', 'a.id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .distinctOn('a.id')
    .select(['a.id', 'a.name', 'a.created_at', 's.plan', 's.seats', 's.status', 'u.email'])
    .where('u.email', 'in', emails)
    .where('m.role', '=', 'owner')
    .where('a.stripe_customer_id', 'is', null)
    .where('s.provider_sub_id', 'is', null)
    .where('s.plan', '<>', 'free')
    .orderBy('a.id')
    .orderBy('m.created_at')
    .execute()
}

/** The same people's accounts that are customers at the provider. */
export function findLinked(tx: Tx, emails: string[]): Promise<{ id: string; customer: string }[]> {
  return tx
    .selectFrom('accounts as a')
    .innerJoin('memberships as m', 'm.account_id', 'a.id')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .distinct()
    .select(['a.id', 'a.stripe_customer_id as customer'])
    .where('u.email', 'in', emails)
    .where('m.role', '=', 'owner')
    .where('a.stripe_customer_id', 'is not', null)
    .$narrowType<{ customer: string }>()
    .execute()
}

/** Forgets a customer that is gone, and the subscription with it; what the account's rows say stays. */
export async function unlink(tx: Tx, accountId: string) {
  await store.updateAccount(tx, accountId, { stripe_customer_id: null })
  await tx
    .updateTable('subscriptions')
    .set({ provider_sub_id: null })
    .where('account_id', '=', accountId)
    .execute()
}

/**
 * Writes down what was made for an account.
 * @returns false when somebody has begun to pay for a plan meanwhile: theirs comes first
 */
export async function link(
  tx: Tx,
  accountId: string,
  made: { customer: string; subscription: string },
): Promise<boolean> {
  const account = await lockAccount(tx, accountId)
  const known = await store.findSubscription(tx, accountId)
  // Another process made it under the same keys.
  if (known?.provider_sub_id === made.subscription) return true
  if (!account || account.stripe_customer_id || (await attempts.findOpenAttempt(tx, accountId))) return false
  await store.updateAccount(tx, accountId, { stripe_customer_id: made.customer })
  await tx
    .updateTable('subscriptions')
    .set({ provider_sub_id: made.subscription })
    .where('account_id', '=', accountId)
    .execute()
  return true
}
