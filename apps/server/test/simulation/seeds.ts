import type { Step } from './steps.ts'

const fine = { process: 0, mishap: { kind: 'none' } } as const

const count = Number(process.env.SIMULATION_COUNT ?? 50)
const first = Number(process.env.SIMULATION_FIRST_SEED ?? 1)
/** Fifty seeds in every test run; `npm run simulate` runs more. */
export const seeds: number[] = Array.from({ length: count }, (_, at) => first + at)

/**
 * Shortest sequences of past failures. Kept as steps, because a seed means other steps once there is a new
 * kind of step.
 */
export const regressions: { seed: number; showed: string; steps: Step[] }[] = [
  {
    seed: 38,
    showed: 'a planned end with a new card returned 500',
    steps: [
      { do: 'choose', plan: 'startup_yearly', card: 'good', ...fine },
      { do: 'change', plan: 'free', card: 'other', ...fine },
    ],
  },
  {
    seed: 200105,
    showed: 'a change with a replaced card stayed open after the provider ended the subscription',
    steps: [
      { do: 'choose', plan: 'startup_yearly', card: 'good', ...fine },
      { do: 'change', plan: 'startup', card: 'other', process: 0, mishap: { kind: 'killed', at: 17 } },
      { do: 'provider', what: 'cancel' },
    ],
  },
  {
    seed: 300239,
    showed: 'an approved card of a half rolled back attempt returned payment_provider_down',
    steps: [
      { do: 'choose', plan: 'scale', card: 'good', ...fine },
      { do: 'replace_card', card: 'asks_then_declines', ...fine },
      { do: 'bank', outcome: 'complete' },
      { do: 'replace_card', card: 'other', process: 1, mishap: { kind: 'killed', at: 9 } },
      { do: 'come_back', outcome: 'none', ...fine },
    ],
  },
  {
    seed: 300274,
    showed: 'a customer whose creation was not confirmed outlived its account',
    steps: [
      { do: 'choose', plan: 'free', card: 'good', ...fine },
      {
        ...{ do: 'upgrade', plan: 'scale', card: 'other', process: 0 },
        mishap: { kind: 'fault', match: 'POST /v1/customers', fault: 'drop_after_commit', times: 4 },
      },
      { do: 'choose', plan: 'startup_yearly', card: 'other', process: 0, mishap: { kind: 'killed', at: 2 } },
      { do: 'replace_card', card: 'good', ...fine },
      { do: 'close', ...fine },
    ],
  },
  {
    seed: 300763,
    showed: 'a voided change with a lost reply was requested again without end',
    steps: [
      { do: 'choose', plan: 'scale', card: 'good', ...fine },
      { do: 'replace_card', card: 'declined_at_charge', ...fine },
      {
        ...{ do: 'change', plan: 'startup_yearly', card: null, process: 0 },
        mishap: { kind: 'fault', match: 'POST /v1/invoices/*/void', fault: 'drop_after_commit', times: 6 },
      },
      { do: 'change', plan: 'startup_yearly', card: null, ...fine },
    ],
  },
  {
    seed: 0,
    showed: 'a confirmed change after a planned end returned price_changed',
    steps: [
      { do: 'choose', plan: 'scale', card: 'asks_always', ...fine },
      { do: 'come_back', outcome: 'complete', ...fine },
      { do: 'change', plan: 'free', card: null, ...fine },
      { do: 'quote', call: 'change', plan: 'startup_yearly', ...fine },
      { do: 'pay_quoted', card: null, ...fine },
      { do: 'come_back', outcome: 'complete', ...fine },
    ],
  },
  {
    seed: 0,
    showed: 'closing an account charged the pending price of a seat without a quote',
    steps: [
      { do: 'choose', plan: 'startup_yearly', card: 'good', ...fine },
      { do: 'join', ...fine },
      { do: 'pass', hours: 1 },
      { do: 'close', ...fine },
    ],
  },
]
