/** The only definition of plans, prices and entitlements. Money is in integer minor units. */
export type PlanId = 'free' | 'startup' | 'startup_yearly' | 'scale'

export type Tier = { up_to: number | null; unit_amount_decimal: string }
export type Entitlements = { users: number | null; api_keys: number | null; events: number | null }
export type Plan = {
  id: PlanId
  /** `flat`: a fixed price or free; `per_seat`: price times memberships; `tiered`: base price plus metered usage. */
  type: 'flat' | 'per_seat' | 'tiered'
  price: number
  interval: 'month' | 'year' | null
  currency: 'usd'
  trial_days: number
  /** The price's lookup key at the payment provider; null for free plans. */
  lookup_key: string | null
  metered: { lookup_key: string; event_name: string; tiers: Tier[] } | null
  /** null: no limit. */
  entitlements: Entitlements
  /** Number of bars in the plan badge. */
  slabs: 1 | 2 | 3
}

export const plans = {
  free: {
    id: 'free',
    type: 'flat',
    price: 0,
    interval: null,
    currency: 'usd',
    trial_days: 0,
    lookup_key: null,
    metered: null,
    entitlements: { users: 3, api_keys: 1, events: 1000 },
    slabs: 1,
  },
  startup: {
    id: 'startup',
    type: 'per_seat',
    price: 1200,
    interval: 'month',
    currency: 'usd',
    trial_days: 14,
    lookup_key: 'plinth_startup_month',
    metered: null,
    entitlements: { users: 20, api_keys: 10, events: 100_000 },
    slabs: 2,
  },
  startup_yearly: {
    id: 'startup_yearly',
    type: 'per_seat',
    price: 12_000,
    interval: 'year',
    currency: 'usd',
    trial_days: 0,
    lookup_key: 'plinth_startup_year',
    metered: null,
    entitlements: { users: 20, api_keys: 10, events: 100_000 },
    slabs: 2,
  },
  scale: {
    id: 'scale',
    type: 'tiered',
    price: 4900,
    interval: 'month',
    currency: 'usd',
    trial_days: 0,
    lookup_key: 'plinth_scale_base',
    metered: {
      lookup_key: 'plinth_scale_usage',
      event_name: 'plinth_usage',
      tiers: [
        { up_to: 10_000, unit_amount_decimal: '0' },
        { up_to: 100_000, unit_amount_decimal: '0.2' },
        { up_to: null, unit_amount_decimal: '0.1' },
      ],
    },
    entitlements: { users: null, api_keys: 100, events: null },
    slabs: 3,
  },
} as const satisfies Record<PlanId, Plan>

export const planIds = ['free', 'startup', 'startup_yearly', 'scale'] as const satisfies readonly PlanId[]

export function isPlanId(value: unknown): value is PlanId {
  return planIds.some(id => id === value)
}

export function planOf(id: PlanId): Plan {
  return plans[id]
}

export const currencySymbols = { usd: '$' } as const

/** The cheapest plan that allows `amount` of a resource. A 402 reply offers it. */
export function cheapestPlanFor(thing: keyof Entitlements, amount: number): PlanId | null {
  return planIds.find(id => (planOf(id).entitlements[thing] ?? Number.POSITIVE_INFINITY) >= amount) ?? null
}
