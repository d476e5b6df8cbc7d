import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { isNothingUpcoming, isPaymentsError, toPaymentsError } from './errors.ts'
import { hasEnded, idOf, type PlannedEnd, secondsOf } from './shapes.ts'

/** An item as it is to become: one that is there by its id, a new one by its price alone. */
export type ItemChange = { id?: string; price?: string; quantity?: number; deleted?: boolean }

/** A change of a running subscription; sent and previewed as the same thing. */
export type PlanChange = {
  items: ItemChange[]
  /** Billed at once, and in force only when that is paid; otherwise it goes on the next invoice. */
  bills: boolean
  endsTrial: boolean
  /** To the second at which the period is divided; null for the provider's own now. */
  prorationDate: Date | null
  /** Taken off from now on, in place of what is off already; null leaves that. */
  promotion: string | null
  /** A planned end that the change undoes. Only previewed: the provider takes it in a call of its own. */
  undoes: PlannedEnd | null
}

export type PreviewLine = {
  text: string
  amount: number
  /** The same less what is off it, and with its tax. */
  total: number
  proration: boolean
  price: string | null
  quantity: number
  /** What it is for. A proration begins at the second that divides the period. */
  start: Date
  end: Date
}

/** What an invoice would say. Amounts are minor units, times UTC. */
export type Preview = {
  lines: PreviewLine[]
  /** What is off, beside what is off its lines already. */
  discount: number
  tax: number
  total: number
  amountDue: number
  /** What the customer has left or owes afterwards; below zero it is theirs. */
  balance: number
  currency: string
}

type Prorating = 'always_invoice' | 'create_prorations' | 'none'

/** The verbs of what runs already: another plan, a planned end, another card, an invoice that is due. */
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
     * Changes what a subscription consists of. A change that is billed takes effect when it is paid; until then the
     * provider keeps it as pending. No note goes with it: the provider takes none beside a pending change.
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

    /** What that change would cost; asks, and changes nothing. */
    previewChange: (customer: string, id: string, change: PlanChange): Promise<Preview> =>
      preview(customer, id, change, change.bills ? 'always_invoice' : 'create_prorations'),

    /**
     * What the first whole period after that change would cost, without what the change itself does.
     * @param left ids of the discounts that are left by then; null for all that the change leaves on it
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
     * The last invoice of a subscription that ends with its period: prorations that wait, and usage so far.
     * @returns null where nothing more is billed
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

    /** Plans the end of a subscription for the end of its period. */
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

    /** The id of the card that is charged: the subscription's own, while it has not ended, before the customer's. */
    chargedCardId: (customer: string, subscription: string | null): Promise<string | null> =>
      call(async stripe => {
        const own = subscription ? await stripe.subscriptions.retrieve(subscription) : null
        if (own?.default_payment_method && !hasEnded(own)) return idOf(own.default_payment_method)
        const found = await stripe.customers.retrieve(customer)
        return found.deleted ? null : idOf(found.invoice_settings.default_payment_method)
      }),

    /**
     * Makes a card the one that is charged, in both places: the subscription's own comes before the customer's. One
     * that has ended charges nothing any more and takes no card.
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

    /** Lets go of a card; one that is gone already was what was wanted. */
    detachCard: (card: string): Promise<void> =>
      call(stripe => stripe.paymentMethods.detach(card)).then(
        () => {},
        error => {
          if (!isPaymentsError(error, 'missing', 'rejected')) throw error
        },
      ),

    /** The cards that a customer has saved. */
    savedCards: (customer: string): Promise<string[]> =>
      call(async stripe => {
        const page = await stripe.customers.listPaymentMethods(customer, { type: 'card', limit: 100 })
        return page.data.map(({ id }) => id)
      }),

    /** Withdraws an invoice that is not paid, so that it never is. @returns false when it has been paid after all */
    async voidInvoice(id: string): Promise<boolean> {
      try {
        await call(stripe => stripe.invoices.voidInvoice(id))
        return true
      } catch (error) {
        if (!isPaymentsError(error, 'rejected')) throw error
        return (await call(stripe => stripe.invoices.retrieve(id))).status !== 'paid'
      }
    },
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
