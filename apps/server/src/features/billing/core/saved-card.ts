import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import type { AuthedContext, Services } from '../../../context.ts'
import { PaymentsError } from '../../../integrations/stripe/payments.ts'
import { mapUnavailable } from './provider-errors.ts'
import * as store from './store.ts'

type SavedCard = Reply<(typeof billing)['card']>

/** The card that pays invoices; every field is null when there is none. */
export const readCard = (ctx: AuthedContext): Promise<SavedCard> =>
  mapUnavailable(ctx, () => readSavedCard(ctx, ctx.actor.account_id))

/** The card to name in a mail; null when it can't be read, because the mail must not fail for that. */
export async function tryReadCard(services: Services, accountId: string) {
  try {
    const { brand, last4 } = await readSavedCard(services, accountId)
    return brand && last4 ? { brand, last4 } : null
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return null
  }
}

/** Throws the provider's errors. */
export async function readSavedCard(services: Services, accountId: string): Promise<SavedCard> {
  const { customer, subscription } = await services.withinAccount(accountId, async tx => ({
    customer: (await store.findAccount(tx, accountId)).stripe_customer_id,
    subscription: (await store.findSubscription(tx, accountId))?.provider_sub_id ?? null,
  }))
  const card = customer ? await services.integrations.payments.cardOf(customer, subscription) : null
  return {
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    exp_month: card?.expMonth ?? null,
    exp_year: card?.expYear ?? null,
  }
}

/** Call it after the account's card has changed: the provider client caches cards for some seconds. */
export async function clearAccountCardCache(services: Services, accountId: string): Promise<void> {
  const account = await services.withinAccount(accountId, tx => store.findAccount(tx, accountId))
  if (account.stripe_customer_id) services.integrations.payments.clearCardCache(account.stripe_customer_id)
}
