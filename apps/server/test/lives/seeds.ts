import type { Step } from './steps.ts'

const fine = { process: 0, mishap: { kind: 'none' } } as const

const count = Number(process.env.LIVES ?? 50)
const first = Number(process.env.LIVES_FROM ?? 1)
/** Fifty lives in every run of the tests; `npm run lives` lives more. */
export const seeds: number[] = Array.from({ length: count }, (_, at) => first + at)

/**
 * Lives that showed something wrong, made as short as they can be. Kept as their steps and not only as their seed,
 * because a seed means another life as soon as lives get one more kind of step.
 */
export const kept: { seed: number; showed: string; life: Step[] }[] = [
  {
    seed: 38,
    showed: 'a plan that is to end, sent with a new card, was answered with 500',
    life: [
      { do: 'choose', plan: 'startup_yearly', card: 'good', ...fine },
      { do: 'change', plan: 'free', card: 'other', ...fine },
    ],
  },
  {
    seed: 200105,
    showed:
      'a change whose new card was in place when the provider ended the subscription stayed open for ever',
    life: [
      { do: 'choose', plan: 'startup_yearly', card: 'good', ...fine },
      { do: 'change', plan: 'startup', card: 'other', process: 0, mishap: { kind: 'killed', at: 17 } },
      { do: 'provider', what: 'cancel' },
    ],
  },
  {
    seed: 300239,
    showed: 'a card whose attempt was half taken back, and that the bank agreed to, found the provider down',
    life: [
      { do: 'choose', plan: 'scale', card: 'good', ...fine },
      { do: 'replace_card', card: 'asks_then_declines', ...fine },
      { do: 'bank', outcome: 'complete' },
      { do: 'replace_card', card: 'other', process: 1, mishap: { kind: 'killed', at: 9 } },
      { do: 'come_back', outcome: 'none', ...fine },
    ],
  },
  {
    seed: 300274,
    showed: 'a customer whose making was never heard of outlived its account',
    life: [
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
    showed: 'a change that was withdrawn, which nobody heard of, was asked for again without end',
    life: [
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
    showed:
      'a change that was paid at the bank, with the end planned before, was answered as a changed price',
    life: [
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
    showed: 'closing an account charged the pending price of a seat that no screen had quoted',
    life: [
      { do: 'choose', plan: 'startup_yearly', card: 'good', ...fine },
      { do: 'join', ...fine },
      { do: 'pass', hours: 1 },
      { do: 'close', ...fine },
    ],
  },
]
