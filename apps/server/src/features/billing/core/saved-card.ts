import type { Reply } from '@plinth/contract'
import type { billing } from '@plinth/contract/endpoints/billing'
import type { AuthedContext, Services } from '../../../context.ts'
import { PaymentsError } from '../../../integrations/stripe/payments.ts'
import { mapUnavailable } from './provider-errors.ts'
import * as store from './store.ts'

type SavedCard = Reply<(typeof billing)['card']>

/** The card that invoices are paid with; every field empty before there is one. */
export const readCard = (ctx: AuthedContext): Promise<SavedCard> =>
  mapUnavailable(ctx, () => savedCard(ctx, ctx.actor.account_id))

/** The card for a mail; null when it can't be read: the mail is worth more than its name. */
export async function tryCard(services: Services, accountId: string) {
  try {
    const { brand, last4 } = await savedCard(services, accountId)
    return brand && last4 ? { brand, last4 } : null
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error
    return null
  }
}

/** The same for whoever has just changed it. Throws what the provider throws. */
export async function savedCard(services: Services, accountId: string): Promise<SavedCard> {
  const { customer, subscription } = await services.withinAccount(accountId, async tx => ({
    customer: (await store.findAccount(tx, accountId)).stripe_customer_id,
    subscription: (await store.findSubscription(tx, accountId))?.provider_sub_id ?? null,
  }))
  const card = customer ? await services.outside.payments.cardOf(customer, subscription) : null
  return {
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    exp_month: card?.expMonth ?? null,
    exp_year: card?.expYear ?? null,
  }
}

/** To be called after an account's card has changed: what is kept of it for some seconds is out of date. */
export async function clearCardCache(services: Services, accountId: string): Promise<void> {
  const account = await services.withinAccount(accountId, tx => store.findAccount(tx, accountId))
  if (account.stripe_customer_id) services.outside.payments.clearCardCache(account.stripe_customer_id)
}
