import { describe, expect, it } from 'vitest'
import { nextCardChangeStep, nextCheckSeconds, nextFirstPlanStep, nextPlanChangeStep } from './rules.ts'

const running = { status: 'active', plan: 'scale', cancelAtPeriodEnd: false, pendingUpdate: false } as const
const to = (plan: string) => ({ plan, card_token: null, replaced_at: null })

describe('next step of a plan change', () => {
  it.each([
    [to('scale'), running, 'done'],
    [to('free'), running, 'end'],
    [to('free'), { ...running, cancelAtPeriodEnd: true }, 'done'],
    [to('scale'), { ...running, cancelAtPeriodEnd: true }, 'keep'],
    [to('startup'), running, 'items'],
    [to('startup'), { ...running, pendingUpdate: true }, 'payment'],
    [to('startup'), { ...running, status: 'past_due' }, 'owing'],
    [to('free'), { ...running, status: 'past_due' }, 'end'],
    [to('startup'), { ...running, status: 'canceled' }, 'gone'],
    [{ ...to('scale'), card_token: 'pm_1' }, running, 'card'],
    [{ ...to('scale'), card_token: 'pm_1', replaced_at: new Date() }, running, 'done'],
  ] as const)('%o of %o: %s', (target, state, step) => expect(nextPlanChangeStep(target, state)).toBe(step))
})

describe('next step of a first plan', () => {
  const bare = { card_id: null, provider_sub_id: null, trial_days: 0 }
  it.each([
    [bare, false, 'card'],
    [{ ...bare, card_id: 'pm_1' }, false, 'subscribe'],
    [{ ...bare, card_id: 'pm_1', trial_days: 14 }, false, 'confirm'],
    [{ ...bare, card_id: 'pm_1', trial_days: 14 }, true, 'subscribe'],
    [{ ...bare, card_id: 'pm_1', trial_days: 14, provider_sub_id: 'sub_1' }, false, 'subscribe'],
  ] as const)('%o, confirmed %s: %s', (attempt, confirmed, step) =>
    expect(nextFirstPlanStep(attempt, { confirmed })).toBe(step),
  )
})

describe('next step of a card change', () => {
  const bare = { replaced_at: null, setup_intent_id: null }
  it.each([
    [bare, true, 'card'],
    [bare, false, 'not_started'],
    [{ ...bare, setup_intent_id: 'seti_1' }, false, 'card'],
    [{ ...bare, replaced_at: new Date() }, false, 'pay'],
  ] as const)('%o, charging %s: %s', (attempt, charging, step) =>
    expect(nextCardChangeStep(attempt, { charging })).toBe(step),
  )
})

it.each([
  [0, 120, 120],
  [10_000, 120, 3600],
  [1000, 120, 500],
  [0, 1, 1],
])('an attempt %i s old is looked at again in time', (age, first, wait) => {
  expect(nextCheckSeconds(age, first)).toBe(wait)
})
