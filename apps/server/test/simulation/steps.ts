import { type PlanId, planIds } from '@plinth/contract/plans'
import fc from 'fast-check'
import type { Fault } from '../payments.ts'

/** Test cards by the behaviour of their bank. */
export const cards = {
  good: '4242424242424242',
  other: '5555555555554444',
  asks_once: '4000002500003155',
  asks_always: '4000002760003184',
  asks_then_declines: '4000008260003178',
  declined_at_charge: '4000000000000341',
  declined: '4000000000000002',
  expired: '4000000000000069',
} as const
export type CardKind = keyof typeof cards

/** Reads of the billing screens. */
export const looks = ['subscription', 'card', 'invoice', 'usage', 'plan/preview?plan=scale'] as const

/** A failure during a call. `at` counts calls of the database and the provider. */
export type Mishap =
  | { kind: 'none' }
  | { kind: 'killed'; at: number }
  /** Hits some matching calls of the provider, after letting some pass. */
  | { kind: 'fault'; match: string; fault: Fault; times: number; after?: number }
  | { kind: 'twice' }

type Call =
  | { do: 'choose'; plan: PlanId; card: CardKind }
  | { do: 'change'; plan: PlanId; card: CardKind | null }
  | { do: 'upgrade'; plan: PlanId; card: CardKind }
  | { do: 'replace_card'; card: CardKind }
  /** `pay_quoted` accepts the shown price later. */
  | { do: 'quote'; call: 'choose' | 'change' | 'upgrade' | 'replace_card'; plan: PlanId; code?: boolean }
  | { do: 'pay_quoted'; card: CardKind | null }
  | { do: 'come_back'; outcome: 'complete' | 'fail' | 'none' }
  | { do: 'look'; at: (typeof looks)[number] }
  | { do: 'use'; quantity: number }
  | { do: 'join' }
  | { do: 'leave' }
  | { do: 'close' }
  | { do: 'work' }
  | { do: 'night' }

/** One step: plain data that can be printed, shrunk and stored. */
export type Step =
  | (Call & { process: 0 | 1; mishap: Mishap })
  /** The bank is answered, and the browser never comes back. */
  | { do: 'bank'; outcome: 'complete' | 'fail' }
  | { do: 'pass'; hours: number }
  /** Webhooks arrive: order, copies, and the share that comes late or never. */
  | { do: 'tell'; order: 'as_sent' | 'backwards' | number; copies: 1 | 2; share: 'all' | 'half' | 'lost' }
  | { do: 'provider'; what: 'cancel' | 'cancel_later' | 'keep' }
  /** The promotion code ends, or a plan gets another price. */
  | { do: 'market'; what: 'code_ends' | 'price_changes' }
  | { do: 'return' }

const weighed = <T>(...parts: [number, fc.Arbitrary<T>][]) =>
  fc.oneof(...parts.map(([weight, arbitrary]) => ({ weight, arbitrary })))

const plan = fc.constantFrom(...planIds)
const card: fc.Arbitrary<CardKind> = weighed(
  [6, fc.constant('good')],
  [3, fc.constantFrom('other', 'asks_once')],
  [4, fc.constantFrom('asks_always', 'asks_then_declines', 'declined_at_charge')],
  [1, fc.constantFrom('declined', 'expired')],
)

const matches = [
  '* /v1/',
  'POST /v1/subscriptions',
  'POST /v1/subscriptions',
  'GET /v1/subscriptions',
  'POST /v1/customers',
  'POST /v1/payment_methods',
  'POST /v1/setup_intents',
  'POST /v1/invoices',
]
const mishap: fc.Arbitrary<Mishap> = weighed<Mishap>(
  [10, fc.constant({ kind: 'none' })],
  [4, fc.integer({ min: 0, max: 20 }).map(at => ({ kind: 'killed', at }))],
  [
    4,
    fc.record({
      kind: fc.constant('fault'),
      match: fc.constantFrom(...matches),
      fault: weighed<Fault>(
        [4, fc.constantFrom<Fault>('500', '409', '429', 'garbage')],
        // A lost reply is what makes a call run twice.
        [4, fc.constant('drop_after_commit')],
      ),
      times: fc.constantFrom(1, 4),
    }),
  ],
  [2, fc.constant({ kind: 'twice' })],
)

const call: fc.Arbitrary<Call> = weighed<Call>(
  [8, fc.record({ do: fc.constant('choose'), plan, card })],
  [6, fc.record({ do: fc.constant('change'), plan, card: fc.option<CardKind>(card) })],
  [4, fc.record({ do: fc.constant('upgrade'), plan, card })],
  [4, fc.record({ do: fc.constant('replace_card'), card })],
  [
    12,
    fc.record({
      do: fc.constant('quote'),
      call: fc.constantFrom('choose', 'change', 'upgrade', 'replace_card'),
      plan,
      code: weighed([3, fc.constant(false)], [1, fc.constant(true)]),
    }),
  ],
  [16, fc.record({ do: fc.constant('pay_quoted'), card: fc.option<CardKind>(card) })],
  [8, fc.record({ do: fc.constant('come_back'), outcome: fc.constantFrom('complete', 'fail', 'none') })],
  [2, fc.record({ do: fc.constant('look'), at: fc.constantFrom(...looks) })],
  [2, fc.record({ do: fc.constant('use'), quantity: fc.constantFrom(1, 500, 20_000) })],
  [4, fc.constant({ do: 'join' })],
  [2, fc.constant({ do: 'leave' })],
  [6, fc.constant({ do: 'work' })],
  [1, fc.constant({ do: 'night' })],
  [1, fc.constant({ do: 'close' })],
)

const step: fc.Arbitrary<Step> = weighed<Step>(
  [
    30,
    fc
      .tuple(call, fc.constantFrom<0 | 1>(0, 1), mishap)
      .map(([one, process, m]) => ({ ...one, process, mishap: m })),
  ],
  [2, fc.record({ do: fc.constant('bank'), outcome: fc.constantFrom('complete', 'fail') })],
  [8, fc.record({ do: fc.constant('pass'), hours: fc.constantFrom(1, 24, 24 * 4, 24 * 16, 24 * 32) })],
  [
    8,
    fc.record({
      do: fc.constant('tell'),
      order: fc.oneof(fc.constantFrom<'as_sent' | 'backwards'>('as_sent', 'backwards'), fc.nat(1000)),
      copies: fc.constantFrom<1 | 2>(1, 2),
      share: fc.constantFrom('all', 'half', 'lost'),
    }),
  ],
  [2, fc.record({ do: fc.constant('provider'), what: fc.constantFrom('cancel', 'cancel_later', 'keep') })],
  [2, fc.record({ do: fc.constant('market'), what: fc.constantFrom('code_ends', 'price_changes') })],
  [1, fc.constant({ do: 'return' })],
)

/** A sequence starts with a first plan, followed by random steps. */
export const randomSteps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.record({ do: fc.constant('choose' as const), plan, card, process: fc.constant(0 as const), mishap }),
    fc.array(step, { minLength: 5, maxLength: 16, size: 'max' }),
  )
  .map(([first, rest]) => [first, ...rest])
