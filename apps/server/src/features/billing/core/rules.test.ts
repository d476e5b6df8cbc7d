import { planOf } from '@plinth/contract/plans'
import { describe, expect, it } from 'vitest'
import { decideSyncAction, displayStatus, isLive, planOfPrice, seatsFor } from './rules.ts'

describe('displayStatus [entity:subscription]', () => {
  it.each([
    ['active', null, 'active'],
    ['trialing', null, 'trialing'],
    ['incomplete', 'requires_action', 'requires_action'],
    ['incomplete', 'refused', 'requires_payment_method'],
    ['past_due', 'requires_action', 'requires_action'],
    ['past_due', 'refused', 'requires_payment_method'],
    ['past_due', null, 'requires_payment_method'],
    ['unpaid', 'requires_action', 'requires_action'],
    ['unpaid', 'refused', 'requires_payment_method'],
    ['paused', 'requires_action', 'requires_payment_method'],
    ['canceled', 'requires_action', 'canceled'],
    ['incomplete_expired', null, 'canceled'],
    ['something_new', null, 'requires_payment_method'],
  ])('%s with a payment that is %s shows %s', (provider, payment, shown) => {
    expect(displayStatus(provider, payment)).toBe(shown)
  })
})

describe('judge', () => {
  const free = { provider_sub_id: null, status: 'active', pending_plan: null }
  const paid = { provider_sub_id: 'sub_1', status: 'active', pending_plan: null }
  const leaving = { ...paid, pending_plan: 'free' }
  const ended = { ...paid, status: 'canceled' }
  it.each([
    ['the first one', undefined, 'started', 'sub_1', 'active', 'record'],
    ['a trial', undefined, 'action_required', 'sub_1', 'trialing', 'record'],
    ['one made by hand at the provider', undefined, null, 'sub_1', 'active', 'record'],
    ['from free to paid', free, 'started', 'sub_1', 'active', 'record'],
    ['a new one after the end of another', ended, 'started', 'sub_2', 'active', 'record'],
    ['one that is not paid yet', undefined, 'started', 'sub_1', 'incomplete', 'ignore'],
    ['one that was never paid', undefined, 'failed', 'sub_1', 'incomplete_expired', 'ignore'],
    ['one that we gave up', undefined, 'failed', 'sub_1', 'active', 'orphan'],
    ['a second one', paid, 'started', 'sub_2', 'active', 'extra'],
    ['the known one', paid, 'done', 'sub_1', 'past_due', 'update'],
    ['the known one, canceled', paid, 'done', 'sub_1', 'canceled', 'update'],
    ['the known one at the end of a move to free', leaving, 'done', 'sub_1', 'canceled', 'to_free'],
    ['the known one before the end of a move to free', leaving, 'done', 'sub_1', 'active', 'update'],
    ['an old one that ends after its successor began', paid, 'done', 'sub_0', 'canceled', 'ignore'],
  ] as const)('%s', (_case, known, attempt, id, status, action) => {
    expect(decideSyncAction(known, attempt, { id, status })).toBe(action)
  })
})

describe('smaller decisions', () => {
  it.each([
    [{ planKey: 'scale', lookupKey: null }, 'scale'],
    [{ planKey: null, lookupKey: 'plinth_startup_year' }, 'startup_yearly'],
    [{ planKey: 'no such plan', lookupKey: 'plinth_startup_month' }, 'startup'],
    [{ planKey: null, lookupKey: 'another product' }, null],
    [{ planKey: null, lookupKey: null }, null],
  ])('%# finds the plan of a price', (price, plan) => {
    expect(planOfPrice(price)).toBe(plan)
  })

  it('counts seats only where a plan is sold by the seat', () => {
    expect(seatsFor(planOf('startup'), 7)).toBe(7)
    expect(seatsFor(planOf('startup'), 0)).toBe(1)
    expect(seatsFor(planOf('scale'), 7)).toBe(1)
  })

  it('takes a plan without a provider, or a canceled one, for not live', () => {
    expect(isLive(undefined)).toBe(false)
    expect(isLive({ provider_sub_id: null, status: 'active' })).toBe(false)
    expect(isLive({ provider_sub_id: 'sub_1', status: 'canceled' })).toBe(false)
    expect(isLive({ provider_sub_id: 'sub_1', status: 'requires_payment_method' })).toBe(true)
  })
})
