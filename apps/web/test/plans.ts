/** The price list as GET /api/account/plans answers it to an account that has not had its trial. */
export function priceList(change: { active?: string | null; trial?: boolean } = {}) {
  const { active = null, trial = true } = change
  const plan = (id: string, more: object) => ({
    id,
    name: id,
    price: 0,
    interval: null,
    currency: { code: 'usd', symbol: '$' },
    type: 'flat',
    trial_days: 0,
    trial_available: false,
    label: id,
    entitlements: { users: 20, api_keys: 10, events: 100_000 },
    ...more,
  })
  const plans = [
    plan('free', { name: 'Free', entitlements: { users: 3, api_keys: 1, events: 1000 } }),
    plan('startup', {
      name: 'Startup',
      price: 1200,
      interval: 'month',
      type: 'per_seat',
      trial_days: 14,
      trial_available: trial,
    }),
    plan('startup_yearly', { name: 'Startup yearly', price: 12_000, interval: 'year', type: 'per_seat' }),
    plan('scale', {
      name: 'Scale',
      price: 4900,
      interval: 'month',
      type: 'tiered',
      entitlements: { users: null, api_keys: 100, events: null },
    }),
  ]
  return { plans, active, list: [], raw: plans }
}

/** GET /api/account/subscription of an account; without a change, of one that has no plan yet. */
export const subscriptionOf = (change: object = {}) => ({
  status: null,
  plan: null,
  cancel_at_period_end: false,
  current_period_start: null,
  current_period_end: null,
  trial_end: null,
  pending_plan: null,
  seats: 1,
  seat_price: 0,
  due: null,
  collection_paused: null,
  currency_symbol: '$',
  interval: null,
  ...change,
})

/** GET /api/account/plan/preview of Scale, chosen for the first time and paid at once. */
export const previewOf = (change: object = {}) => ({
  plan: 'scale',
  when: 'now',
  lines: [{ text: 'Scale', amount: 4900, proration: false }],
  discount: 0,
  promotion: null,
  tax: 0,
  due_now: 4900,
  credit: 0,
  next_date: '2026-12-20T10:00:00.000Z',
  next_amount: 4900,
  currency: 'usd',
  proration_date: null,
  ...change,
})
