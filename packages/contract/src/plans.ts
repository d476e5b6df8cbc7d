export type Tier = { up_to: number | null; unit_amount_decimal: string }
export type Entitlements = { users: number | null; api_keys: number | null; events: number | null }
type PlanTerms = {
  /** `flat`: a fixed price or free; `per_seat`: price times memberships; `tiered`: base price plus metered usage. */
  type: 'flat' | 'per_seat' | 'tiered'
  price: number
  interval: 'month' | 'year' | null
  /** ISO 4217, lower case. */
  currency: string
  trial_days: number
  /** The price's lookup key at the payment provider; null for free plans. */
  lookup_key: string | null
  metered: { lookup_key: string; event_name: string; tiers: Tier[] } | null
  /** null: no limit. */
  entitlements: Entitlements
  /** Number of bars in the plan badge. */
  slabs: 1 | 2 | 3
}

/**
 * The only definition of plans, prices and entitlements, from the cheapest to the dearest. Money is in integer minor
 * units. A new plan is an entry here; the compiler and the locale tests name each text that it needs.
 */
const terms = {
  free: {
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
} as const satisfies Record<string, PlanTerms>

export type PlanId = keyof typeof terms
export type Plan = PlanTerms & { id: PlanId }

export const planIds = Object.keys(terms) as [PlanId, ...PlanId[]] // as: Object.keys forgets the names; there is one at least

export function isPlanId(value: unknown): value is PlanId {
  return planIds.some(id => id === value)
}

export function planOf(id: PlanId): Plan {
  return { id, ...terms[id] }
}

/** The cheapest plan that allows `amount` of a resource. A 402 reply offers it. */
export function cheapestPlanFor(thing: keyof Entitlements, amount: number): PlanId | null {
  return planIds.find(id => (planOf(id).entitlements[thing] ?? Number.POSITIVE_INFINITY) >= amount) ?? null
}

const costs = (id: PlanId) => planOf(id).price > 0

/** The plan a 402 reply offers to an account: its own if that costs something, otherwise the first paid one. */
export const planToBuy = (current: string | null): PlanId | undefined =>
  isPlanId(current) && costs(current) ? current : planIds.find(costs)
