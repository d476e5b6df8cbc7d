import type { Call } from './client.ts'
import { fallbackFor, isPaymentsError } from './errors.ts'
import {
  type Card,
  type Confirmation,
  hasEnded,
  type ProviderSubscription,
  toCard,
  toConfirmation,
  toSubscription,
} from './shapes.ts'

const expand = ['latest_invoice.payments']
/** Also reads the charged card. */
const expandCard = [...expand, 'default_payment_method', 'customer.invoice_settings.default_payment_method']

export type NewSubscription = {
  customer: string
  card: string
  /** Price ids; a metered price has no quantity. */
  items: { price: string; quantity?: number }[]
  trialDays: number
  /** Applies from the first invoice on. */
  promotion: string | null
  metadata: Record<string, string>
  key: string
}

/** Calls for customers, cards, confirmations and subscriptions. Each can be repeated with the same key. */
export function subscriptionCalls(call: Call) {
  const ignoreMissing = async (work: Promise<unknown>) => {
    await work.catch(fallbackFor(null, 'missing'))
  }

  return {
    /** @returns the customer's id, the same for an account until the customer is deleted */
    createCustomer: (accountId: string): Promise<string> =>
      call(async stripe => {
        // The params must never change, or the provider rejects the key; name and address follow later.
        const params = { metadata: { account_id: accountId } }
        for (let count = 0; ; count++) {
          const idempotencyKey = `customer:${accountId}${count === 0 ? '' : `:${count}`}`
          const made = await stripe.customers.create(params, { idempotencyKey })
          // The provider replays a key for a day, even for a deleted customer.
          const replayed = made.lastResponse.headers['idempotent-replayed'] === 'true'
          if (!replayed || !(await stripe.customers.retrieve(made.id)).deleted) return made.id
        }
      }),
    /** State of a customer; `unknown` when the provider never had it. */
    customerState: (id: string): Promise<'there' | 'deleted' | 'unknown'> =>
      call(async stripe => ((await stripe.customers.retrieve(id)).deleted ? 'deleted' : 'there')).catch(
        fallbackFor('unknown' as const, 'missing'),
      ),

    /** Saves a card. @param token a payment method (`pm_`) or the older kind (`tok_`) */
    saveCard: (customer: string, token: string, key: string): Promise<Card> =>
      call(async stripe => {
        const id = token.startsWith('tok_')
          ? (
              await stripe.paymentMethods.create(
                { type: 'card', card: { token } },
                { idempotencyKey: `card:${key}` },
              )
            ).id
          : token
        return toCard(
          await stripe.paymentMethods.attach(
            id,
            { customer },
            { idempotencyKey: `attach:${key}:${customer}` },
          ),
        )
      }),

    /** Sets the default card and the contact of a customer. */
    setCustomerCard: (customer: string, card: string, who: { email: string; name: string }): Promise<void> =>
      call(async stripe => {
        await stripe.customers.update(customer, {
          ...who,
          invoice_settings: { default_payment_method: card },
        })
      }),

    /** Asks the bank to approve later charges without charging now. */
    createSetup: (
      customer: string,
      card: string,
      metadata: Record<string, string>,
      key: string,
    ): Promise<Confirmation> =>
      call(async stripe =>
        toConfirmation(
          await stripe.setupIntents.create(
            {
              customer,
              payment_method: card,
              usage: 'off_session',
              confirm: true,
              automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
              metadata,
            },
            { idempotencyKey: `setup:${key}` },
          ),
        ),
      ),

    readSetup: (id: string): Promise<Confirmation> =>
      call(async stripe => toConfirmation(await stripe.setupIntents.retrieve(id))),
    /** Cancels an unconfirmed setup. */
    cancelSetup: (id: string): Promise<void> => ignoreMissing(call(stripe => stripe.setupIntents.cancel(id))),
    readPayment: (id: string): Promise<Confirmation> =>
      call(async stripe => toConfirmation(await stripe.paymentIntents.retrieve(id))),

    createSubscription: ({
      customer,
      card,
      items,
      trialDays,
      promotion,
      metadata,
      key,
    }: NewSubscription): Promise<ProviderSubscription> =>
      call(async stripe =>
        toSubscription(
          await stripe.subscriptions.create(
            {
              customer,
              items,
              default_payment_method: card,
              payment_behavior: 'allow_incomplete',
              off_session: false,
              payment_settings: { save_default_payment_method: 'on_subscription' },
              metadata,
              expand,
              ...(promotion && { discounts: [{ promotion_code: promotion }] }),
              ...(trialDays > 0 && {
                trial_period_days: trialDays,
                trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
              }),
            },
            { idempotencyKey: `subscription:${key}` },
          ),
        ),
      ),

    /** Null when there is no such subscription. */
    readSubscription: (id: string): Promise<ProviderSubscription | null> =>
      call(async stripe =>
        toSubscription(await stripe.subscriptions.retrieve(id, { expand: expandCard })),
      ).catch(fallbackFor(null, 'missing')),

    /** Subscriptions that have not ended; none for a deleted customer. */
    subscriptionsOf: (customer: string): Promise<ProviderSubscription[]> =>
      call(async stripe => {
        const page = await stripe.subscriptions.list({
          customer,
          limit: 100,
          expand: ['data.latest_invoice.payments'],
        })
        return page.data.filter(one => !hasEnded(one)).map(toSubscription)
      }).catch(fallbackFor([], 'missing')),

    /**
     * Cancels a subscription that was never paid. The invoice is voided first, which fails once it is paid,
     * so that no payment is lost.
     * @returns false when it has been paid
     */
    async cancelUnpaid({ id, invoiceId }: ProviderSubscription): Promise<boolean> {
      if (invoiceId && !(await voidInvoice(call, invoiceId))) return false
      await ignoreMissing(call(stripe => stripe.subscriptions.cancel(id)))
      return true
    },

    /**
     * Ends a subscription at once. Invoices metered usage, but no pending prorations. A last invoice can't omit
     * them, so there is none while they add up to a charge.
     */
    async cancelWithFinalInvoice({ id, customer, items }: ProviderSubscription): Promise<void> {
      const invoices =
        items.some(({ metered }) => metered) && (await pendingProrations(call, customer, id)) <= 0
      await ignoreMissing(
        call(stripe =>
          stripe.subscriptions.cancel(id, invoices ? { invoice_now: true, prorate: false } : {}),
        ),
      )
    },
    /** Ends all subscriptions and deletes the customer and their cards; invoices stay. */
    removeCustomer: (id: string): Promise<void> => ignoreMissing(call(stripe => stripe.customers.del(id))),

    /** Ends a subscription at once; an ended one is fine. */
    cancelSubscription: (id: string): Promise<void> =>
      ignoreMissing(call(stripe => stripe.subscriptions.cancel(id))),
  }
}

/**
 * Voids an unpaid invoice.
 * @returns false when it has been paid
 */
export async function voidInvoice(call: Call, id: string): Promise<boolean> {
  try {
    await call(stripe => stripe.invoices.voidInvoice(id))
    return true
  } catch (error) {
    if (!isPaymentsError(error, 'rejected')) throw error
    return (await call(stripe => stripe.invoices.retrieve(id))).status !== 'paid'
  }
}

/** Sum of the prorations on the next invoice; zero when the provider refuses the preview. */
const pendingProrations = (call: Call, customer: string, subscription: string): Promise<number> =>
  call(async stripe => {
    const { lines } = await stripe.invoices.createPreview({ customer, subscription })
    const pending = lines.data.filter(line => line.parent?.subscription_item_details?.proration)
    return pending.reduce((sum, { amount }) => sum + amount, 0)
  }).catch(fallbackFor(0, 'missing', 'rejected'))
