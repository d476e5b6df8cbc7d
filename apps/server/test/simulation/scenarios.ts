import type { PlanId } from '@plinth/contract/plans'
import type { CardKind, looks, Step } from './steps.ts'

type Called = Extract<Step, { process: 0 | 1 }>

const fine = { process: 0, mishap: { kind: 'none' } } as const
const choose = (plan: PlanId, card: CardKind = 'good'): Called => ({ do: 'choose', plan, card, ...fine })
const change = (plan: PlanId, card: CardKind | null = null): Called => ({ do: 'change', plan, card, ...fine })
const upgrade = (plan: PlanId, card: CardKind): Called => ({ do: 'upgrade', plan, card, ...fine })
const replaceCard = (card: CardKind): Called => ({ do: 'replace_card', card, ...fine })
const back: Called = { do: 'come_back', outcome: 'none', ...fine }
const bank = (outcome: 'complete' | 'fail'): Step => ({ do: 'bank', outcome })
const look = (at: (typeof looks)[number]): Called => ({ do: 'look', at, ...fine })
const night: Called = { do: 'night', ...fine }
const days = (count: number): Step => ({ do: 'pass', hours: count * 24 })
const told: Step = { do: 'tell', order: 'as_sent', copies: 1, share: 'all' }
const work: Called = { do: 'work', ...fine }

/**
 * Every use of the payment provider: the steps before, and the act under test. The fault matrix finds its
 * calls by running it.
 */
export const scenarios: Record<string, { before: Step[]; act: Called }> = {
  'a plan is bought': { before: [], act: choose('startup_yearly') },
  'a plan with usage is bought': { before: [], act: choose('scale') },
  'a trial begins': { before: [], act: choose('startup') },
  'a payment is declined': { before: [], act: choose('startup_yearly', 'declined_at_charge') },
  'a payment was confirmed at the bank': {
    before: [choose('startup_yearly', 'asks_always'), bank('complete')],
    act: back,
  },
  'a payment was not confirmed': {
    before: [choose('startup_yearly', 'asks_always'), bank('fail')],
    act: back,
  },
  'a trial card was not confirmed': {
    before: [choose('startup', 'asks_always'), bank('fail')],
    act: back,
  },
  'a payment is left for the free plan': {
    before: [choose('startup_yearly', 'asks_always')],
    act: choose('free'),
  },
  'webhooks are handled': { before: [choose('startup_yearly'), told], act: work },
  'an account is closed': {
    before: [choose('startup_yearly'), { do: 'close', ...fine }],
    act: work,
  },
  'a trial becomes a dearer plan': { before: [choose('startup')], act: change('scale') },
  'a plan becomes a dearer one': { before: [choose('scale')], act: change('startup_yearly') },
  'a plan becomes a cheaper one': { before: [choose('scale')], act: change('startup') },
  'a change is declined': {
    before: [choose('scale'), replaceCard('declined_at_charge')],
    act: change('startup_yearly'),
  },
  'a change was confirmed at the bank': {
    before: [choose('scale'), upgrade('startup_yearly', 'asks_always'), bank('complete')],
    act: back,
  },
  'a change was not confirmed': {
    before: [choose('scale'), upgrade('startup_yearly', 'asks_always'), bank('fail')],
    act: back,
  },
  'a plan is upgraded with a new card': {
    before: [choose('scale')],
    act: upgrade('startup_yearly', 'other'),
  },
  'a plan is to end': { before: [choose('startup_yearly')], act: change('free') },
  'an end is taken back': { before: [choose('scale'), change('free')], act: change('scale') },
  'a card is replaced': { before: [choose('startup_yearly')], act: replaceCard('other') },
  'a card was confirmed at the bank': {
    before: [choose('startup_yearly'), replaceCard('asks_once'), bank('complete')],
    act: back,
  },
  'a card pays what is due': {
    before: [choose('scale'), replaceCard('declined_at_charge'), days(32), days(1), told, work],
    act: replaceCard('good'),
  },
  'seats and usage are carried': {
    before: [
      choose('startup'),
      { do: 'join', ...fine },
      days(1),
      change('scale'),
      { do: 'use', quantity: 500, ...fine },
    ],
    act: night,
  },
  'what got lost is found at night': {
    before: [choose('startup'), { do: 'join', ...fine }, { do: 'provider', what: 'cancel_later' }],
    act: night,
  },
  'a change is previewed': { before: [choose('startup')], act: look('plan/preview?plan=scale') },
  'the card is read': { before: [choose('startup')], act: look('card') },
  'invoices are read': { before: [choose('startup_yearly')], act: look('invoice') },
}
