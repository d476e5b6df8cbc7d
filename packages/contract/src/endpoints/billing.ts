import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { planId, queryInteger, safeText } from '../fields.ts'
import { quote, sentQuote } from '../quote.ts'
import { trimBlanks } from '../text.ts'
import { due, invoice, planPreview, savedCard } from './billing-schemas.ts'

const plan = z
  .object({
    id: planId,
    name: z.string().meta({ examples: ['Startup'] }),
    /** Minor units. */
    price: z.int(),
    interval: z.string().nullable(),
    currency: z.object({ code: z.string().meta({ examples: ['usd'] }), symbol: z.string() }),
    type: z.enum(['flat', 'per_seat', 'tiered']),
    trial_days: z.int(),
    /** Whether this account would still get the trial. */
    trial_available: z.boolean(),
    /** The label of a plan option: name, symbol and price, interval. */
    label: z.string(),
    entitlements: z.object({
      users: z.int().nullable(),
      api_keys: z.int().nullable(),
      events: z.int().nullable(),
    }),
  })
  .meta({ id: 'Plan' })

/** The customer must confirm the payment in the browser; the client then repeats the call with the result. */
const actionDue = z
  .object({
    requires_payment_action: z.literal(true),
    client_secret: z.string(),
    /** The kind of intent that the secret confirms. */
    kind: z.enum(['payment', 'setup']),
  })
  .meta({ id: 'PaymentActionRequired' })

const paymentErrors = [
  'card_declined',
  'card_insufficient_funds',
  'card_expired',
  'card_cvc_wrong',
  'card_number_wrong',
  'card_processing_error',
  'payment_not_authorized',
  'payment_rejected',
  'payment_provider_down',
] as const

const promotionCodeErrors = [
  'promotion_code_unknown',
  'promotion_code_expired',
  'promotion_code_used_up',
  'promotion_code_unfit',
] as const

const changed = z
  .object({
    /** The current plan: a change to free takes effect when the period ends. */
    plan: planId,
    subscription: z.string(),
    pending_plan: planId.nullable(),
  })
  .meta({ id: 'PlanChange' })

const token = safeText(255)
  .nullish()
  .meta({
    description: 'The payment method id from the provider’s card field.',
    examples: ['pm_1QNqExample'],
  })

const codeText = z
  .string({ error: 'form.invalid' })
  .transform(trimBlanks)
  .pipe(safeText(500))
  .transform(value => value || null)
  .meta({ maxLength: 500 })
const promotion_code = codeText.nullish().meta({
  description: 'A promotion code. An invalid code is refused and nothing is charged.',
  examples: ['WELCOME20'],
})

const chosen = z.object({ plan: planId, subscription: z.string(), onboarded: z.boolean() })
const providerObject = safeText(255).optional()

const planChange = z.strictObject({
  plan: planId,
  token,
  promotion_code,
  proration_date: z.int({ error: 'form.invalid' }).optional(),
  quote: sentQuote,
  payment_intent: providerObject,
  setup_intent: providerObject,
})

export const billing = endpoints({
  plans: {
    method: 'GET',
    path: '/api/account/plans',
    summary: 'The price list, the current plan, and the list as form options.',
    needs: 'owner',
    stage: 'verified',
    reply: z.object({
      plans: z.array(plan),
      active: planId.nullable(),
      list: z.array(z.object({ value: planId, label: z.string() })),
      raw: z.array(plan),
    }),
  },
  choosePlan: {
    method: 'POST',
    path: '/api/account/plan',
    summary: 'Chooses the first plan: free, or paid with a card token.',
    needs: 'owner',
    sensitive: true,
    stage: 'verified',
    limit: 'billing',
    idempotent: true,
    refuses: [
      'plan_taken',
      'card_required',
      'trial_used',
      'price_changed',
      ...paymentErrors,
      ...promotionCodeErrors,
    ],
    body: z.strictObject({
      plan: planId,
      token: safeText(255)
        .nullish()
        .meta({
          description: 'The payment method id from the provider’s card field; not for the free plan.',
          examples: ['pm_1QNqExample'],
        }),
      promotion_code,
      quote: sentQuote,
      payment_intent: providerObject,
      setup_intent: providerObject,
    }),
    reply: z.union([chosen, actionDue]),
  },
  subscription: {
    method: 'GET',
    path: '/api/account/subscription',
    summary: 'The current subscription; times in ISO 8601, prices in minor units.',
    needs: 'owner',
    stage: 'verified',
    reply: z.object({
      status: z.string().nullable(),
      plan: planId.nullable(),
      cancel_at_period_end: z.boolean(),
      current_period_start: z.string().nullable(),
      current_period_end: z.string().nullable(),
      trial_end: z.string().nullable(),
      /** The plan from the next period on; null when it does not change. */
      pending_plan: planId.nullable(),
      seats: z.int(),
      seat_price: z.int(),
      /** Price of a period before usage, discounts and tax. */
      base_price: z.int(),
      /** Unpaid invoices; also null when the provider is unavailable. */
      due: due.nullable(),
      /** Support paused collection: nothing is charged until that day, or until support resumes it. */
      collection_paused: z.object({ until: z.string().nullable() }).nullable(),
      /** The charge when the card is replaced; null when the provider is unavailable. */
      card_quote: quote.nullable(),
      /** The price of one more seat for a period; zero when seats are free. */
      seat_quote: quote,
      currency_symbol: z.string(),
      interval: z.string().nullable(),
    }),
  },
  previewPlan: {
    method: 'GET',
    path: '/api/account/plan/preview',
    summary: 'Previews what a plan change costs now and from the next invoice on.',
    needs: 'owner',
    stage: 'verified',
    limit: 'preview',
    refuses: [
      'payment_due',
      'collection_paused',
      'payment_rejected',
      'payment_provider_down',
      ...promotionCodeErrors,
    ],
    query: z.strictObject({ plan: planId, promotion_code: codeText.optional() }),
    reply: planPreview,
  },
  changePlan: {
    method: 'PATCH',
    path: '/api/account/plan',
    summary:
      'Changes the plan of a running subscription: to a paid plan at once, to free when the period ends. Sending the current plan undoes a planned end.',
    needs: 'owner',
    sensitive: true,
    stage: 'verified',
    limit: 'billing',
    idempotent: true,
    refuses: [
      'card_required',
      'trial_used',
      'payment_due',
      'collection_paused',
      'price_changed',
      ...paymentErrors,
      ...promotionCodeErrors,
    ],
    body: planChange,
    reply: z.union([changed, actionDue]),
  },
  upgrade: {
    method: 'POST',
    path: '/api/account/upgrade',
    summary: 'Moves to a paid plan with a new card, from any plan or subscription status.',
    needs: 'owner',
    sensitive: true,
    stage: 'verified',
    limit: 'billing',
    idempotent: true,
    refuses: [
      'card_required',
      'trial_used',
      'payment_due',
      'collection_paused',
      'price_changed',
      ...paymentErrors,
      ...promotionCodeErrors,
    ],
    body: planChange,
    reply: z.union([changed, actionDue]),
  },
  card: {
    method: 'GET',
    path: '/api/account/card',
    summary: 'The card that invoices are paid with.',
    needs: 'owner',
    stage: 'verified',
    refuses: ['payment_rejected', 'payment_provider_down'],
    reply: savedCard,
  },
  replaceCard: {
    method: 'PATCH',
    path: '/api/account/card',
    summary: 'Replaces the card and pays due invoices with the new one.',
    needs: 'owner',
    sensitive: true,
    stage: 'verified',
    limit: 'billing',
    idempotent: true,
    refuses: ['card_required', 'card_unneeded', 'price_changed', ...paymentErrors],
    body: z.strictObject({
      token,
      quote: sentQuote,
      payment_intent: providerObject,
      setup_intent: providerObject,
    }),
    reply: z.union([savedCard, actionDue]),
  },
  invoices: {
    method: 'GET',
    path: '/api/account/invoice',
    summary: 'Lists invoices, the newest first, 25 a page. `page` beside `data` has the next cursor.',
    needs: 'owner',
    stage: 'verified',
    refuses: ['payment_rejected', 'payment_provider_down'],
    paged: true,
    query: z.strictObject({
      cursor: safeText(300).optional().meta({ description: '`page.next` of the previous page.' }),
    }),
    reply: z.array(invoice),
  },
  upcoming: {
    method: 'GET',
    path: '/api/account/invoice/upcoming',
    summary: 'The next payment and the remaining credit, also with further seats. Minor units.',
    needs: 'owner',
    stage: 'verified',
    refuses: ['payment_provider_down'],
    query: z.strictObject({
      seats: queryInteger(1, 1000)
        .optional()
        .meta({ description: 'Further seats to include, on a plan that is paid per seat.' }),
    }),
    reply: z.object({
      credit: z.int(),
      currency: z.string(),
      /** The part of the amount for changes during this period, such as added seats; zero when they leave credit. */
      prorated: z.int(),
      /** Date and amount are null when nothing more is charged. */
      date: z.string().nullable(),
      amount: z.int().nullable(),
      /** The invoice of a renewal, which is charged about an hour later: its total, and what credit leaves to pay. */
      draft: z.object({ total: z.int(), amount: z.int() }).nullable(),
    }),
  },
  usage: {
    method: 'GET',
    path: '/api/account/usage',
    summary: 'Usage in the current period.',
    needs: 'owner',
    stage: 'verified',
    reply: z.object({
      total: z.int(),
      label: z.string().meta({ examples: ['events'] }),
      period: z
        .string()
        .meta({ description: 'First and last day of the period, in the language of the caller.' }),
      period_start: z.string().nullable(),
      period_end: z.string().nullable(),
      /** Cost so far in minor units; null when usage is free. */
      amount: z.int().nullable(),
    }),
  },
})
