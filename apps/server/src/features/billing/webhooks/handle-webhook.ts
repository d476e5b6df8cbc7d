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
 * The job. A webhook only says that something changed; the state is read from the provider. So duplicates,
 * delay and order do not matter. A webhook about an unknown customer needs no work.
 */
export async function handleWebhook(services: Services, { webhook_id }: { webhook_id: string }) {
  const webhook = await services.asSystem('store a webhook', tx => webhooks.findWebhook(tx, webhook_id))
  if (!webhook || webhook.handled_at) return
  const customer = webhook.customer_id
  // The webhook may be about the card.
  if (customer) services.integrations.payments.clearCardCache(customer)
  if (webhook.object_id) await recordProviderEvent(services, webhook.type, webhook.object_id)
  const account =
    customer &&
    (await services.asSystem('find the account of a webhook', tx => findAccountOfCustomer(tx, customer)))
  const subscription =
    account && (webhook.subscription_id ?? (await findSubscriptionOf(services, account.id)))
  const snapshot = subscription ? await syncAndEndUnwanted(services, account.id, subscription) : null
  // The provider decides by its own clock that the trial ends soon; the trial itself is read again.
  if (account && webhook.type.endsWith('.trial_will_end') && snapshot?.action === 'update' && snapshot.plan)
    await notifyTrialEnd(services, account.id, snapshot.plan, snapshot.subscription)
  // After the sync, so that the plan mail comes before the receipt.
  if (webhook.type === 'invoice.paid' && webhook.object_id) await mailReceipt(services, webhook.object_id)
  // Last, because the sync above applies and mails the end of its subscriptions.
  if (account && webhook.type === 'customer.deleted') await removeDeletedCustomer(services, account.id)
  await services.asSystem('mark a webhook as handled', tx =>
    webhooks.markWebhookHandled(tx, webhook_id, services.now()),
  )
}

async function findSubscriptionOf(services: Services, accountId: string): Promise<string | null> {
  const known = await services.withinAccount(accountId, tx => store.findSubscription(tx, accountId))
  return known?.provider_sub_id ?? null
}
