/** Plans, prices and entitlements: declared once, enforced everywhere. Money is integer minor units. */
export type PlanId = 'free' | 'startup' | 'startup_yearly' | 'scale'

export type Tier = { up_to: number | null; unit_amount_decimal: string }
export type Entitlements = { users: number | null; api_keys: number | null; events: number | null }
export type Plan = {
  id: PlanId
  /** `flat` costs nothing or a fixed sum, `per_seat` is multiplied by memberships, `tiered` adds metered usage. */
  type: 'flat' | 'per_seat' | 'tiered'
  price: number
  interval: 'month' | 'year' | null
  currency: 'usd'
  trial_days: number
  /** How the price is found at the payment provider; null for what costs nothing. */
  lookup_key: string | null
  metered: { lookup_key: string; event_name: string; tiers: Tier[] } | null
  /** null is no limit. */
  entitlements: Entitlements
  /** Slabs of the plan badge, 1 to 3. */
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

/** The cheapest plan that allows `amount` of a thing: what a 402 tells the client to offer. */
export function planFor(thing: keyof Entitlements, amount: number): PlanId | null {
  return planIds.find(id => (planOf(id).entitlements[thing] ?? Number.POSITIVE_INFINITY) >= amount) ?? null
}
