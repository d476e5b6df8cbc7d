import type { Services } from '../../../context.ts'
import { findAccountOfCustomer } from '../core/customer-store.ts'
import * as store from '../core/store.ts'
import { notifyTrialEnd } from '../mails/dunning.ts'
import { mailReceipt } from '../mails/receipt.ts'
import { removeDeletedCustomer } from '../sync/deleted-customer.ts'
import { syncAndEndUnwanted } from '../sync/end-unwanted.ts'
import { recordProviderEvent } from './provider-events.ts'
import * as webhooks from './webhook-store.ts'

/**
 * A message says that something changed; what, is read from the provider. So it does not matter how often, how late
 * or in which order messages come. One about a customer that is not ours is done with at once.
 */
export async function handleWebhook(services: Services, { notice_id }: { notice_id: string }) {
  const notice = await services.asSystem('a notice of the payment provider', tx =>
    webhooks.findWebhook(tx, notice_id),
  )
  if (!notice || notice.handled_at) return
  const customer = notice.customer_id
  // The card may be what has changed.
  if (customer) services.outside.payments.clearCardCache(customer)
  if (notice.object_id) await recordProviderEvent(services, notice.type, notice.object_id)
  const account =
    customer && (await services.asSystem('whose notice it is', tx => findAccountOfCustomer(tx, customer)))
  const subscription = account && (notice.subscription_id ?? (await knownOf(services, account.id)))
  const seen = subscription ? await syncAndEndUnwanted(services, account.id, subscription) : null
  // The provider's word for "soon", on its own clock; that there is a trial is read anew.
  if (account && notice.type.endsWith('.trial_will_end') && seen?.action === 'update' && seen.plan)
    await notifyTrialEnd(services, account.id, seen.plan, seen.subscription)
  // After the subscription, so that the mail about a plan comes before its receipt.
  if (notice.type === 'invoice.paid' && notice.object_id) await mailReceipt(services, notice.object_id)
  // Last: the end of its subscriptions is applied, and mailed, above.
  if (account && notice.type === 'customer.deleted') await removeDeletedCustomer(services, account.id)
  await services.asSystem('a notice is handled', tx =>
    webhooks.markWebhookHandled(tx, notice_id, services.now()),
  )
}

async function knownOf(services: Services, accountId: string): Promise<string | null> {
  const known = await services.withinAccount(accountId, tx => store.findSubscription(tx, accountId))
  return known?.provider_sub_id ?? null
}
