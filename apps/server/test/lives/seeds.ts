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
]
