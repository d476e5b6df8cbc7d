import { z } from 'zod'
import { planId } from '../fields.ts'
import { quote } from '../quote.ts'

/** All fields are null without a card. Only the provider sees the security code. */
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
    /** Minor units, with tax, of all due invoices. A new card is charged this amount. */
    amount: z.int(),
    currency: z.string(),
    invoices: z.int(),
    /** When the card is charged again; null when it is not. */
    next_attempt: z.string().nullable(),
    /** The provider's invoice page, where the customer confirms the payment. */
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
    /** Part of the paid amount that was refunded to the card. */
    refunded: z.int(),
    /** Sum of credit notes beyond the refund. */
    credited: z.int(),
    currency: z.string(),
    /** The provider's payment page of an open invoice; else null. */
    page: z.string().nullable(),
    /** The provider's link to the PDF. Links expire, so each list has new ones. */
    invoice_pdf: z.string().nullable(),
  })
  .meta({ id: 'Invoice' })

/** Cost of a plan change, from the provider's preview. Minor units. */
export const planPreview = z
  .object({
    plan: planId,
    /** `none`: it is the current plan. */
    when: z.enum(['now', 'period_end', 'none']),
    lines: z.array(z.object({ text: z.string(), amount: z.int(), proration: z.boolean() })),
    /** Discount on today's invoice that its lines do not include. */
    discount: z.int(),
    /** Null without a promotion code. */
    promotion: z
      .object({
        code: z.string().meta({ examples: ['WELCOME20'] }),
        percent_off: z.number().nullable(),
        /** Minor units of `currency`. */
        amount_off: z.int().nullable(),
        duration: z.enum(['once', 'repeating', 'forever']),
        /** Duration of a repeating discount. */
        months: z.int().nullable(),
      })
      .nullable(),
    tax: z.int(),
    /** Charged to the card at once. */
    due_now: z.int(),
    /** Credit for later invoices. */
    credit: z.int(),
    next_date: z.string().nullable(),
    next_amount: z.int().nullable(),
    currency: z.string(),
    /** The client sends it with the change, so that the price stays as shown. Seconds since 1970. */
    proration_date: z.int().nullable(),
    /** The client sends it with the change. */
    quote,
    /** Limits of the plan that the account exceeds. Nothing is removed; nothing can be added. */
    over: z.array(z.object({ what: z.enum(['users', 'api_keys']), used: z.int(), limit: z.int() })),
  })
  .meta({ id: 'PlanPreview' })
export type PlanPreview = z.infer<typeof planPreview>
