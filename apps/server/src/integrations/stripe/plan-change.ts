import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { fallbackFor, isNothingUpcoming, isPaymentsError, toPaymentsError } from './errors.ts'
import { hasEnded, idOf, type PlannedEnd, secondsOf } from './shapes.ts'
import { voidInvoice } from './subscriptions.ts'

/** The new state of an item: an existing one has an id, a new one only a price. */
export type ItemChange = { id?: string; price?: string; quantity?: number; deleted?: boolean }

/** A change of a running subscription, for the real call and its preview. */
export type PlanChange = {
  items: ItemChange[]
  /** Billed at once, and in force when paid; otherwise billed on the next invoice. */
  bills: boolean
  endsTrial: boolean
  /** The second at which the period is divided; null for the provider's own now. */
  prorationDate: Date | null
  /** Replaces the current discounts; null keeps them. */
  promotion: string | null
  /** A planned end that the change undoes. Only for the preview: the real call is a separate one. */
  undoes: PlannedEnd | null
}

export type PreviewLine = {
  text: string
  amount: number
  /** Including discounts and tax. */
  total: number
  proration: boolean
  price: string | null
  quantity: number
  /** The period. A proration starts at the second that divides the period. */
  start: Date
  end: Date
}

/** A previewed invoice. Amounts are minor units, times are UTC. */
export type Preview = {
  lines: PreviewLine[]
  /** Discounts on the invoice, besides those on its lines. */
  discount: number
  tax: number
  total: number
  amountDue: number
  /** The customer's balance afterwards; below zero it is credit. */
  balance: number
  currency: string
}

type Prorating = 'always_invoice' | 'create_prorations' | 'none'

/** Calls that change a subscription: its plan, a planned end, the card, an unpaid invoice. */
export function planChangeCalls(call: Call) {
  const preview = (
    customer: string,
    id: string,
    change: PlanChange,
    proration_behavior: Prorating,
    discounts = discountsFor(change),
  ) =>
    call(async stripe =>
      toPreview(
        await stripe.invoices.createPreview({
          customer,
          subscription: id,
          ...discounts,
          subscription_details: {
            items: change.items,
            proration_behavior,
            ...(change.endsTrial && { trial_end: 'now' as const }),
            ...(change.prorationDate && { proration_date: secondsOf(change.prorationDate) }),
            ...(change.undoes && undoEnd(change.undoes)),
          },
        }),
      ),
    )

  return {
    /**
     * Changes the items of a subscription. A billed change is pending at the provider until it is paid. It
     * can't carry metadata, which the provider rejects beside a pending change.
     */
    changeItems: (id: string, change: PlanChange, key: string): Promise<void> =>
      call(async stripe => {
        await stripe.subscriptions.update(
          id,
          {
            items: change.items,
            proration_behavior: change.bills ? 'always_invoice' : 'create_prorations',
            ...(change.bills && { payment_behavior: 'pending_if_incomplete' as const }),
            ...(change.endsTrial && { trial_end: 'now' as const }),
            ...(change.prorationDate && { proration_date: secondsOf(change.prorationDate) }),
            ...discountsFor(change),
          },
          { idempotencyKey: `change:${key}` },
        )
      }),

    /** Previews the change. */
    previewChange: (customer: string, id: string, change: PlanChange): Promise<Preview> =>
      preview(customer, id, change, change.bills ? 'always_invoice' : 'create_prorations'),

    /**
     * Previews the first whole period after a change, without the change itself.
     * @param left ids of the discounts that still apply then; null for all of them
     */
    previewRenewal: (
      customer: string,
      id: string,
      change: PlanChange,
      left: string[] | null,
    ): Promise<Preview> =>
      preview(
        customer,
        id,
        change,
        'none',
        left ? { discounts: left.length > 0 ? left.map(discount => ({ discount })) : '' } : undefined,
      ),

    /**
     * Previews the last invoice of a subscription that ends with its period: pending prorations and usage.
     * @returns null when nothing more is billed
     */
    previewEnd: (customer: string, id: string): Promise<Preview | null> =>
      call(async stripe =>
        toPreview(
          await stripe.invoices.createPreview({
            customer,
            subscription: id,
            subscription_details: { cancel_at_period_end: true },
          }),
        ),
      ).catch(error => {
        if (isNothingUpcoming(error)) return null
        throw error
      }),

    /** Ends a subscription with its period. */
    planEnd: (id: string, key: string): Promise<void> =>
      call(async stripe => {
        const idempotencyKey = `end:${key}`
        await stripe.subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey })
      }),

    /** Undoes a planned end. */
    undoPlannedEnd: (id: string, planned: PlannedEnd, key: string): Promise<void> =>
      call(async stripe => {
        await stripe.subscriptions.update(id, undoEnd(planned), { idempotencyKey: `keep:${key}` })
      }),

    /** The id of the charged card: the subscription's until it ends, otherwise the customer's. */
    chargedCardId: (customer: string, subscription: string | null): Promise<string | null> =>
      call(async stripe => {
        const own = subscription ? await stripe.subscriptions.retrieve(subscription) : null
        if (own?.default_payment_method && !hasEnded(own)) return idOf(own.default_payment_method)
        const found = await stripe.customers.retrieve(customer)
        return found.deleted ? null : idOf(found.invoice_settings.default_payment_method)
      }),

    /**
     * Sets the charged card of the customer and the subscription, whose own card has priority. An ended
     * subscription accepts no card.
     */
    setChargedCard: (customer: string, subscription: string | null, card: string): Promise<void> =>
      call(async stripe => {
        await stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } })
        if (!subscription) return
        try {
          await stripe.subscriptions.update(subscription, { default_payment_method: card })
        } catch (error) {
          const refused = isPaymentsError(toPaymentsError(error), 'rejected')
          if (!refused || !hasEnded(await stripe.subscriptions.retrieve(subscription))) throw error
        }
      }),

    /** Detaches a card; a missing one is fine. */
    async detachCard(card: string): Promise<void> {
      await call(stripe => stripe.paymentMethods.detach(card)).catch(fallbackFor(null, 'missing', 'rejected'))
    },

    /** Ids of the saved cards. */
    savedCards: (customer: string): Promise<string[]> =>
      call(async stripe => {
        const page = await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 })
        return page.data.map(({ id }) => id)
      }),

    /**
     * Voids an unpaid invoice.
     * @returns false when it has been paid
     */
    voidInvoice: (id: string): Promise<boolean> => voidInvoice(call, id),
  }
}

const undoEnd = (planned: PlannedEnd) =>
  planned === 'date' ? { cancel_at: '' as const } : { cancel_at_period_end: false }

type Discounts = Pick<Stripe.InvoiceCreatePreviewParams, 'discounts'>

const discountsFor = ({ promotion }: PlanChange): Discounts =>
  promotion ? { discounts: [{ promotion_code: promotion }] } : {}

export function toPreview(invoice: Stripe.Invoice): Preview {
  return {
    lines: invoice.lines.data.map(line => ({
      text: line.description ?? '',
      amount: line.amount,
      total: totalOf(line),
      proration: line.parent?.subscription_item_details?.proration ?? false,
      price: idOf(line.pricing?.price_details?.price),
      quantity: line.quantity ?? 1,
      start: new Date(line.period.start * 1000),
      end: new Date(line.period.end * 1000),
    })),
    discount: (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0),
    tax: (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
    total: invoice.total,
    amountDue: invoice.amount_due,
    balance: invoice.ending_balance ?? 0,
    currency: invoice.currency,
  }
}

function totalOf({ amount, discount_amounts, taxes }: Stripe.InvoiceLineItem): number {
  const off = (discount_amounts ?? []).reduce((sum, one) => sum + one.amount, 0)
  const added = (taxes ?? []).filter(one => one.tax_behavior === 'exclusive')
  return added.reduce((sum, one) => sum + one.amount, amount - off)
}
