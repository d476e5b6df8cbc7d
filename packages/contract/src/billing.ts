import { z } from 'zod'
import { due, invoice, planPreview, savedCard } from './billing-shapes.ts'
import { endpoints } from './endpoint.ts'
import { planId, safeText } from './fields.ts'
import { quote, sentQuote } from './quote.ts'
import { trimPasted } from './text.ts'

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

/** The provider must prove the payment first: confirm in the browser, then repeat the call with its result. */
const actionDue = z
  .object({
    requires_payment_action: z.literal(true),
    client_secret: z.string(),
    /** Which of the provider's objects the secret confirms. */
    kind: z.enum(['payment', 'setup']),
  })
  .meta({ id: 'PaymentActionRequired' })

/** What can be wrong with a card or a payment. */
const cardTrouble = [
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

/** What can be wrong with a promotion code. */
const codeTrouble = [
  'promotion_code_unknown',
  'promotion_code_expired',
  'promotion_code_used_up',
  'promotion_code_unfit',
] as const

const changed = z
  .object({
    /** The plan in force: free takes over when the period ends. */
    plan: planId,
    subscription: z.string(),
    pending_plan: planId.nullable(),
  })
  .meta({ id: 'PlanChange' })

const token = safeText(255)
  .nullish()
  .meta({
    description: 'What the card field of the payment provider answered.',
    examples: ['pm_1QNqExample'],
  })

const codeText = z
  .string({ error: 'form.invalid' })
  .transform(trimPasted)
  .pipe(safeText(500))
  .transform(value => value || null)
  .meta({ maxLength: 500 })
const promotion_code = codeText.nullish().meta({
  description: 'What somebody was given to pay less. Refused at its field, with nothing charged.',
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
    summary: 'The price list, the plan in force, and the same list as options.',
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
      'card_declined',
      'card_insufficient_funds',
      'card_expired',
      'card_cvc_wrong',
      'card_number_wrong',
      'card_processing_error',
      'payment_not_authorized',
      'trial_used',
      'payment_rejected',
      'price_changed',
      'payment_provider_down',
      ...codeTrouble,
    ],
    body: z.strictObject({
      plan: planId,
      token: safeText(255)
        .nullish()
        .meta({
          description: 'What the card field of the payment provider answered; not for the free plan.',
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
    summary: 'The live subscription, flat; times in ISO 8601, seat price in minor units.',
    needs: 'owner',
    stage: 'verified',
    reply: z.object({
      status: z.string().nullable(),
      plan: planId.nullable(),
      cancel_at_period_end: z.boolean(),
      current_period_start: z.string().nullable(),
      current_period_end: z.string().nullable(),
      trial_end: z.string().nullable(),
      /** What follows when the period ends, where that is settled. */
      pending_plan: planId.nullable(),
      seats: z.int(),
      seat_price: z.int(),
      /** What a period costs before usage, discounts and tax. */
      base_price: z.int(),
      /** What is left to pay of an invoice that was not; null as well while the provider can't be asked. */
      due: due.nullable(),
      /** Support has paused collection: nothing is charged until that day, or until they resume it. */
      collection_paused: z.object({ until: z.string().nullable() }).nullable(),
      /** What replacing the card charges at once; null while the provider can't be asked. */
      card_quote: quote.nullable(),
      /** The price of one more seat for a period; zero where seats cost nothing. */
      seat_quote: quote,
      currency_symbol: z.string(),
      interval: z.string().nullable(),
    }),
  },
  previewPlan: {
    method: 'GET',
    path: '/api/account/plan/preview',
    summary: 'What a change to a plan would cost now and from the next invoice on.',
    needs: 'owner',
    stage: 'verified',
    limit: 'preview',
    refuses: [
      'payment_due',
      'collection_paused',
      'payment_rejected',
      'payment_provider_down',
      ...codeTrouble,
    ],
    query: z.strictObject({ plan: planId, promotion_code: codeText.optional() }),
    reply: planPreview,
  },
  changePlan: {
    method: 'PATCH',
    path: '/api/account/plan',
    summary:
      'Changes the plan of a running subscription: a dearer one at once, free when the period ends. The plan in force takes a planned end back.',
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
      ...cardTrouble,
      ...codeTrouble,
    ],
    body: planChange,
    reply: z.union([changed, actionDue]),
  },
  upgrade: {
    method: 'POST',
    path: '/api/account/upgrade',
    summary: 'Moves to a paid plan with a new card, from wherever the account stands.',
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
      ...cardTrouble,
      ...codeTrouble,
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
    summary: 'Puts another card in its place, and pays with it what is due.',
    needs: 'owner',
    sensitive: true,
    stage: 'verified',
    limit: 'billing',
    idempotent: true,
    refuses: ['card_required', 'card_unneeded', 'price_changed', ...cardTrouble],
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
    summary: 'Invoices, the newest first, 25 at a time; `page` beside `data` leads on.',
    needs: 'owner',
    stage: 'verified',
    refuses: ['payment_rejected', 'payment_provider_down'],
    paged: true,
    query: z.strictObject({
      cursor: safeText(300).optional().meta({ description: '`page.next` of the list before.' }),
    }),
    reply: z.array(invoice),
  },
  upcoming: {
    method: 'GET',
    path: '/api/account/invoice/upcoming',
    summary: 'The next payment, and the credit that is left for it. Minor units.',
    needs: 'owner',
    stage: 'verified',
    refuses: ['payment_provider_down'],
    reply: z.object({
      credit: z.int(),
      currency: z.string(),
      /** Null, as the amount, where nothing more is charged. */
      date: z.string().nullable(),
      amount: z.int().nullable(),
    }),
  },
  usage: {
    method: 'GET',
    path: '/api/account/usage',
    summary: 'What was used in the running period.',
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
      /** What it comes to so far; null where usage costs nothing. Minor units. */
      amount: z.int().nullable(),
    }),
  },
})
