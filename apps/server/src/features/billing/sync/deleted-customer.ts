import type { Services } from '../../../context.ts'
import { lockAccount } from '../../../identity/account-store.ts'
import { invariant } from '../../../lib/invariant.ts'
import { insertFormerCustomer } from '../core/customer-store.ts'
import * as store from '../core/store.ts'
import { sync } from './sync.ts'

/**
 * Removes the account's customer when it was deleted at the provider. The next purchase creates a new one;
 * old invoices stay in the list.
 * @param unknownToo also when the provider never had it, as after a reset of test data. Only for a purchase:
 * with keys of another payment account, a job would remove the customers of all accounts
 * @returns whether the customer was removed
 */
export async function removeDeletedCustomer(
  services: Services,
  accountId: string,
  { unknownToo = false } = {},
): Promise<boolean> {
  const { stripe_customer_id: customer } = await services.withinAccount(accountId, tx =>
    store.findAccount(tx, accountId),
  )
  if (!customer) return false
  const state = await services.integrations.payments.customerState(customer)
  if (state === 'there' || (state === 'unknown' && !unknownToo)) return false
  services.integrations.payments.clearCardCache(customer)
  // Its subscriptions ended too. The nightly job skips accounts without a customer, so the end is synced now.
  const known = await services.withinAccount(accountId, tx => store.findSubscription(tx, accountId))
  if (known?.provider_sub_id) await sync(services, accountId, known.provider_sub_id)
  await services.withinAccount(accountId, async tx => {
    const account = invariant(await lockAccount(tx, accountId), 'the account')
    if (account.stripe_customer_id !== customer) return
    await insertFormerCustomer(tx, {
      customer_id: customer,
      account_id: accountId,
      removed_at: services.now(),
    })
    await store.updateAccount(tx, accountId, { stripe_customer_id: null })
  })
  services.log.warn({ account: accountId, customer, state }, 'the customer is gone at the payment provider')
  return true
}
