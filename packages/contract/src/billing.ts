import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { planId, safeText } from './fields.ts'

const plan = z.object({
  id: planId,
  name: z.string().meta({ examples: ['Startup'] }),
  /** Minor units. */
  price: z.int(),
  interval: z.string().nullable(),
  currency: z.object({ code: z.string(), symbol: z.string() }),
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

/** The provider must prove the payment first: confirm in the browser, then repeat the call with its result. */
const actionDue = z.object({
  requires_payment_action: z.literal(true),
  client_secret: z.string(),
  /** Which of the provider's objects the secret confirms. */
  kind: z.enum(['payment', 'setup']),
})

const chosen = z.object({ plan: planId, subscription: z.string(), onboarded: z.boolean() })
const providerObject = safeText(255).optional()

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
      'payment_provider_down',
    ],
    body: z.strictObject({
      plan: planId,
      token: safeText(255)
        .nullish()
        .meta({
          description: 'What the card field of the payment provider answered; not for the free plan.',
          examples: ['pm_1QNqExample'],
        }),
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
      seats: z.int(),
      seat_price: z.int(),
      currency_symbol: z.string(),
      interval: z.string().nullable(),
    }),
  },
})
