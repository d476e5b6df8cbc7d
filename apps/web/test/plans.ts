/** The price list from GET /api/account/plans; the trial is still available. */
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

/** The price that a button shows and the call sends back. */
export const quoteOf = (amount: number) => ({ amount, currency: 'usd', state: `state at ${amount}` })

/** The subscription from GET /api/account/subscription; by default of an account without a plan. */
export const subscriptionOf = (change: { status?: string | null; [key: string]: unknown } = {}) => ({
  status: null,
  plan: null,
  cancel_at_period_end: false,
  current_period_start: null,
  current_period_end: null,
  trial_end: null,
  pending_plan: null,
  seats: 1,
  seat_price: 0,
  base_price: Number(change.seats ?? 1) * Number(change.seat_price ?? 0),
  due: null,
  collection_paused: null,
  card_quote: quoteOf(change.status?.startsWith('requires') ? 4900 : 0),
  seat_quote: quoteOf(typeof change.seat_price === 'number' ? change.seat_price : 0),
  currency_symbol: '$',
  interval: change.plan === 'startup_yearly' ? 'year' : null,
  ...change,
})

/** The preview from GET /api/account/plan/preview: the first purchase of Scale, paid now. */
export const previewOf = (change: { due_now?: number; [key: string]: unknown } = {}) => ({
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
  quote: quoteOf(change.due_now ?? 4900),
  over: [],
  ...change,
})

/** The preview of a first purchase. */
export function firstPreview(plan: string, { trial = true, seats = 1 } = {}) {
  const price = { startup: 1200 * seats, startup_yearly: 12_000 * seats }[plan] ?? 4900
  const due_now = plan === 'startup' && trial ? 0 : price
  const lines = due_now === 0 ? [] : [{ text: plan, amount: price, proration: false }]
  return previewOf({ plan, lines, due_now, next_amount: price })
}

/** GET /api/account/invoice/upcoming without an upcoming invoice. */
export const upcomingOf = (change: object = {}) => ({
  credit: 0,
  currency: 'usd',
  prorated: 0,
  draft: null,
  date: null,
  amount: null,
  ...change,
})
