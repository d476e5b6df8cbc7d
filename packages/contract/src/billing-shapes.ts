import { z } from 'zod'
import { planId } from './fields.ts'
import { quote } from './quote.ts'

/** Empty before a card is there. The security code is never known to anyone but the provider. */
export const savedCard = z
  .object({
    brand: z
      .string()
      .nullable()
      .meta({ examples: ['visa'] }),
    last4: z
      .string()
      .nullable()
      .meta({ examples: ['4242'] }),
    exp_month: z.int().nullable(),
    exp_year: z.int().nullable(),
  })
  .meta({ id: 'Card' })

export const due = z
  .object({
    /** Minor units, with tax, of all invoices that are due. A new card is charged with it. */
    amount: z.int(),
    currency: z.string(),
    invoices: z.int(),
    /** When the card is charged again; null where it is not. */
    next_attempt: z.string().nullable(),
    /** The provider's own page of the invoice, where the payment is confirmed. */
    page: z.string().nullable(),
  })
  .meta({ id: 'AmountDue' })

export const invoice = z
  .object({
    id: z.string(),
    /** Null while it is a draft. */
    number: z.string().nullable(),
    date: z.string(),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
    /** Minor units. */
    total: z.int(),
    /** What went back to the card of what was paid. */
    refunded: z.int(),
    /** What credit notes took off beyond that. */
    credited: z.int(),
    currency: z.string(),
    /** The provider's own page, where an open one can be paid; null for any other. */
    page: z.string().nullable(),
    /** The provider's link to the PDF. Links expire, so each list brings new ones. */
    invoice_pdf: z.string().nullable(),
  })
  .meta({ id: 'Invoice' })

/** What a change of plan would cost, from the provider's own preview. Minor units. */
export const planPreview = z
  .object({
    plan: planId,
    /** `none`: it is the plan in force already. */
    when: z.enum(['now', 'period_end', 'none']),
    lines: z.array(z.object({ text: z.string(), amount: z.int(), proration: z.boolean() })),
    /** Discount on today's invoice, beyond what its lines already have. */
    discount: z.int(),
    /** What the code stands for; null without one. */
    promotion: z
      .object({
        code: z.string().meta({ examples: ['WELCOME20'] }),
        percent_off: z.number().nullable(),
        /** Minor units of `currency`. */
        amount_off: z.int().nullable(),
        duration: z.enum(['once', 'repeating', 'forever']),
        /** How long a repeating one lasts. */
        months: z.int().nullable(),
      })
      .nullable(),
    tax: z.int(),
    /** What the card is charged at once. */
    due_now: z.int(),
    /** What stays as credit for the invoices that follow. */
    credit: z.int(),
    next_date: z.string().nullable(),
    next_amount: z.int().nullable(),
    currency: z.string(),
    /** To be sent with the change, so that it costs what was shown. Seconds since 1970. */
    proration_date: z.int().nullable(),
    /** To be sent with the choice or the change. */
    quote,
    /** What the account has more of than the plan includes. It stays, and nothing can be added until it fits. */
    over: z.array(z.object({ what: z.enum(['users', 'api_keys']), used: z.int(), limit: z.int() })),
  })
  .meta({ id: 'PlanPreview' })
export type PlanPreview = z.infer<typeof planPreview>
