import type { Tx } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import * as attempts from '../core/attempt-store.ts'
import * as store from '../core/store.ts'

/**
 * Accounts of these owners with a paid plan that the provider does not know. Only the seed creates such
 * rows, so no user's account is among them.
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

/** Accounts of these owners that have a customer at the provider. */
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

/** Unlinks a customer that the provider has lost, and its subscription. */
export async function unlink(tx: Tx, accountId: string) {
  await store.updateAccount(tx, accountId, { stripe_customer_id: null })
  await tx
    .updateTable('subscriptions')
    .set({ provider_sub_id: null })
    .where('account_id', '=', accountId)
    .execute()
}

/**
 * Links the customer and the subscription created for an account.
 * @returns false when a user has started to pay for a plan: that plan wins
 */
export async function link(
  tx: Tx,
  accountId: string,
  made: { customer: string; subscription: string },
): Promise<boolean> {
  const account = await lockAccount(tx, accountId)
  const known = await store.findSubscription(tx, accountId)
  // Another process created it with the same idempotency keys.
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
