import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'
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
/** Also the card that is charged: the subscription's own, or else the customer's. */
const expandCard = [...expand, 'default_payment_method', 'customer.invoice_settings.default_payment_method']

export type NewSubscription = {
  customer: string
  card: string
  /** Price ids; a metered price takes no quantity. */
  items: { price: string; quantity?: number }[]
  trialDays: number
  /** Taken off from the first invoice on. */
  promotion: string | null
  metadata: Record<string, string>
  key: string
}

/** The verbs of paying: customers, cards, confirmations, subscriptions. Each may be repeated with the same key. */
export function subscriptionCalls(call: Call) {
  const forget = <T>(work: Promise<T>) =>
    work.then(
      () => {},
      error => {
        // Gone already is what was wanted.
        if (!isPaymentsError(error, 'missing')) throw error
      },
    )

  return {
    /** @returns the customer's id, the same one for the same account until that one is deleted */
    createCustomer: (accountId: string): Promise<string> =>
      call(async stripe => {
        // Nothing here may ever change, or the key would be refused: name and address follow in useCard.
        const params = { metadata: { account_id: accountId } }
        for (let count = 0; ; count++) {
          const idempotencyKey = `customer:${accountId}${count === 0 ? '' : `:${count}`}`
          const made = await stripe.customers.create(params, { idempotencyKey })
          // A key answers for a day with the customer that it made, deleted or not.
          const replayed = made.lastResponse.headers['idempotent-replayed'] === 'true'
          if (!replayed || !(await stripe.customers.retrieve(made.id)).deleted) return made.id
        }
      }),
    /** Whether a customer was deleted; `unknown` when the provider has never had it. */
    customerState: (id: string): Promise<'there' | 'deleted' | 'unknown'> =>
      call(async stripe => ((await stripe.customers.retrieve(id)).deleted ? 'deleted' : 'there')).catch(
        error => {
          if (isPaymentsError(error, 'missing')) return 'unknown' as const
          throw error
        },
      ),

    /** Saves a card with a customer. @param token of a payment method (`pm_`) or the older kind (`tok_`) */
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

    /** Makes a saved card the one that invoices are paid with. */
    setCustomerCard: (customer: string, card: string, who: { email: string; name: string }): Promise<void> =>
      call(async stripe => {
        await stripe.customers.update(customer, {
          ...who,
          invoice_settings: { default_payment_method: card },
        })
      }),

    /** Asks the bank for leave to charge a card later, without charging it now. */
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
    /** Withdraws a set-up that nobody has confirmed. */
    cancelSetup: (id: string): Promise<void> => forget(call(stripe => stripe.setupIntents.cancel(id))),
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

    /** A fresh read, the only thing that is believed. Null when there is no such subscription. */
    readSubscription: (id: string): Promise<ProviderSubscription | null> =>
      call(async stripe =>
        toSubscription(await stripe.subscriptions.retrieve(id, { expand: expandCard })),
      ).catch(error => {
        if (isPaymentsError(error, 'missing')) return null
        throw error
      }),

    /** What a customer has that has not ended; one that is gone has nothing. */
    subscriptionsOf: (customer: string): Promise<ProviderSubscription[]> =>
      call(async stripe => {
        const page = await stripe.subscriptions.list({
          customer,
          limit: 100,
          expand: ['data.latest_invoice.payments'],
        })
        return page.data.filter(one => !hasEnded(one)).map(toSubscription)
      }).catch(error => {
        if (isPaymentsError(error, 'missing')) return []
        throw error
      }),

    /**
     * Takes back a subscription that was never paid. The invoice goes first: that step fails once it is paid, so a
     * payment that comes through at this very moment is not lost with it.
     * @returns false when it has been paid after all
     */
    async cancelUnpaid({ id, invoiceId }: ProviderSubscription): Promise<boolean> {
      try {
        if (invoiceId) await call(stripe => stripe.invoices.voidInvoice(invoiceId))
      } catch (error) {
        if (!isPaymentsError(error, 'rejected')) throw error
        const invoice = await call(stripe => stripe.invoices.retrieve(invoiceId ?? ''))
        if (invoice.status === 'paid') return false
      }
      await forget(call(stripe => stripe.subscriptions.cancel(id)))
      return true
    },

    /**
     * Ends a subscription at once. Usage at a metered price is invoiced; pending prorations are not. A last invoice
     * can't leave them out, so there is none while they add up to a charge.
     */
    async cancelWithFinalInvoice({ id, customer, items }: ProviderSubscription): Promise<void> {
      const invoices =
        items.some(({ metered }) => metered) && (await pendingProrations(call, customer, id)) <= 0
      await forget(
        call(stripe =>
          stripe.subscriptions.cancel(id, invoices ? { invoice_now: true, prorate: false } : {}),
        ),
      )
    },
    /** Ends whatever the customer still has and forgets the person and their cards; invoices stay. */
    removeCustomer: (id: string): Promise<void> => forget(call(stripe => stripe.customers.del(id))),

    /** Ends a subscription at once; one that has ended stays so. */
    cancelSubscription: (id: string): Promise<void> =>
      forget(call(stripe => stripe.subscriptions.cancel(id))),
  }
}

/** The sum of the prorations that wait for the next invoice; zero where none can be previewed. */
const pendingProrations = (call: Call, customer: string, subscription: string): Promise<number> =>
  call(async stripe => {
    const { lines } = await stripe.invoices.createPreview({ customer, subscription })
    const pending = lines.data.filter(line => line.parent?.subscription_item_details?.proration)
    return pending.reduce((sum, { amount }) => sum + amount, 0)
  }).catch(error => {
    if (isPaymentsError(error, 'missing', 'rejected')) return 0
    throw error
  })
