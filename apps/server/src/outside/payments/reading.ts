import type Stripe from 'stripe'
import type { Call } from './client.ts'
import { isPaymentsError } from './errors.ts'

/** A card as its holder knows it again. */
export type CardFace = { brand: string; last4: string; expMonth: number; expYear: number }

/** An invoice as the provider has it at this moment; `total` in minor units. */
export type ProviderInvoice = {
  id: string
  /** Null while it is a draft. */
  number: string | null
  createdAt: Date
  status: (typeof statuses)[number]
  total: number
  currency: string
  /** The provider's own link to the document, which runs out. */
  pdf: string | null
}

/** Long enough for a screen that asks several times, short enough that nobody looks at an old card for long. */
const cardLastsMs = 10_000
const mostKept = 1000

type Kept = { face: Promise<CardFace | null>; until: number }

/** The verbs of looking: nothing is changed by them. */
export function readingVerbs(call: Call) {
  const kept = new Map<string, Kept>()

  function keep(key: string, face: Promise<CardFace | null>) {
    for (const [old, { until }] of kept)
      if (until < performance.now() || kept.size >= mostKept) kept.delete(old)
    const entry = { face, until: performance.now() + cardLastsMs }
    kept.set(key, entry)
    // A failure is not an answer to be kept; the caller hears of it.
    face.catch(() => kept.get(key) === entry && kept.delete(key))
    return face
  }

  return {
    /**
     * The card that pays a subscription, or else the customer's own; kept for some seconds.
     * @param subscription null when there is none
     */
    cardOf(customer: string, subscription: string | null): Promise<CardFace | null> {
      const known = kept.get(customer)
      if (known && known.until > performance.now()) return known.face
      return keep(customer, readCard(call, customer, subscription))
    },

    /** Forgets a customer's card: it has changed. A read that is under way is not kept either. */
    forgetCard: (customer: string): void => void kept.delete(customer),

    /** A page of a customer's invoices, the newest first. @param after the id of the last one that is known */
    invoicesOf: (
      customer: string,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<{ invoices: ProviderInvoice[]; more: boolean }> =>
      call(async stripe => {
        const found = await stripe.invoices.list({
          customer,
          limit,
          ...(after && { starting_after: after }),
        })
        return { invoices: found.data.map(toInvoice), more: found.has_more }
      }),

    /** Whose an invoice is. Null when there is no such invoice. */
    holderOfInvoice: (id: string): Promise<string | null> =>
      call(async stripe => idOf((await stripe.invoices.retrieve(id)).customer)).catch(error => {
        if (isPaymentsError(error, 'missing')) return null
        throw error
      }),
  }
}

const idOf = (value: string | { id: string } | null): string | null =>
  typeof value === 'string' ? value : (value?.id ?? null)

async function readCard(call: Call, customer: string, subscription: string | null): Promise<CardFace | null> {
  const expand = ['invoice_settings.default_payment_method', 'subscriptions.data.default_payment_method']
  const found = await call(stripe => stripe.customers.retrieve(customer, { expand })).catch(error => {
    if (isPaymentsError(error, 'missing')) return null
    throw error
  })
  if (!found || found.deleted) return null
  const paying = found.subscriptions?.data.find(one => one.id === subscription)
  return faceOf(paying?.default_payment_method) ?? faceOf(found.invoice_settings.default_payment_method)
}

function faceOf(method: string | Stripe.PaymentMethod | null | undefined): CardFace | null {
  if (!method || typeof method === 'string' || !method.card) return null
  const { brand, last4, exp_month, exp_year } = method.card
  return { brand, last4, expMonth: exp_month, expYear: exp_year }
}

const statuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const

function toInvoice(found: Stripe.Invoice): ProviderInvoice {
  return {
    id: found.id,
    number: found.number,
    createdAt: new Date(found.created * 1000),
    status: statuses.find(one => one === found.status) ?? (found.number ? 'open' : 'draft'),
    total: found.total,
    currency: found.currency,
    pdf: found.invoice_pdf ?? null,
  }
}
