import type { World } from '../../context.ts'
import { must } from '../../lib/invariant.ts'
import { lockAccount } from '../accounts/standing.ts'
import { insertFormerCustomer } from './customer-store.ts'
import * as store from './store.ts'
import { sync } from './sync.ts'

/**
 * Removes the account's customer when it was deleted at the provider. The next purchase makes a new one; the invoices
 * of the old one stay in the list.
 * @param unknownToo also when the provider has never had it, as after its test data was emptied. Only for a purchase:
 *   with keys of another payment account, a job would remove the customers of all accounts
 * @returns whether the account has to do without that customer
 */
export async function removeDeletedCustomer(
  world: World,
  accountId: string,
  { unknownToo = false } = {},
): Promise<boolean> {
  const { stripe_customer_id: customer } = await world.withinAccount(accountId, tx =>
    store.findAccount(tx, accountId),
  )
  if (!customer) return false
  const state = await world.outside.payments.customerState(customer)
  if (state === 'there' || (state === 'unknown' && !unknownToo)) return false
  world.outside.payments.forgetCard(customer)
  // Its subscriptions ended with it. The nightly comparison takes no account without a customer, so the end is read now.
  const known = await world.withinAccount(accountId, tx => store.findSubscription(tx, accountId))
  if (known?.provider_sub_id) await sync(world, accountId, known.provider_sub_id)
  await world.withinAccount(accountId, async tx => {
    const account = must(await lockAccount(tx, accountId), 'the account')
    if (account.stripe_customer_id !== customer) return
    await insertFormerCustomer(tx, { customer_id: customer, account_id: accountId, removed_at: world.now() })
    await store.updateAccount(tx, accountId, { stripe_customer_id: null })
  })
  world.log.warn({ account: accountId, customer, state }, 'the customer is gone at the payment provider')
  return true
}
