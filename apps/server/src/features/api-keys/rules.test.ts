import { describe, expect, test } from 'vitest'
import {
  addsScopes,
  isActive,
  mayExpireAt,
  reminderDue,
  scopesToText,
  textToScopes,
  whyNoRoom,
} from './rules.ts'

const now = new Date('2026-11-20T10:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)

describe('rules of keys', () => {
  test.each([
    ['fresh', null, null, true],
    ['before its end', null, inDays(1), true],
    ['at its end', null, now, false],
    ['revoked', inDays(-1), null, false],
    ['revoked before its end', inDays(-1), inDays(1), false],
  ])('%s', (_, revoked_at, expires_at, active) => {
    expect(isActive({ revoked_at, expires_at }, now)).toBe(active)
  })

  test.each([
    ['free', 0, null],
    ['free', 1, { count: 1, plan: 'startup' }],
    ['startup', 9, null],
    ['startup', 10, { count: 10, plan: 'scale' }],
    ['scale', 100, { count: 100, plan: null }],
    [null, 0, { count: 0, plan: 'free' }],
  ])('%s with %s of them', (plan, used, why) => {
    expect(whyNoRoom(plan, used)).toEqual(why)
  })

  test('scopes are stored as words; unknown words are dropped', () => {
    expect(textToScopes(scopesToText(['event.create', 'usage.create']))).toEqual([
      'event.create',
      'usage.create',
    ])
    expect(textToScopes('event.create user.delete')).toEqual(['event.create'])
    expect(addsScopes(['event.create', 'usage.create'], ['usage.create'])).toBe(false)
    expect(addsScopes(['event.create'], ['usage.create'])).toBe(true)
  })

  test('expiry must be in the future and at most five years away', () => {
    expect(
      [inDays(-1), now, inDays(1), inDays(365 * 5), inDays(365 * 5 + 30)].map(at => mayExpireAt(at, now)),
    ).toEqual([false, false, true, true, false])
  })

  test.each([
    [31, null, null],
    [30, null, 30],
    [29, 30, null],
    [7, 30, 7],
    [6.5, null, 7],
    [1, 7, 1],
    [0.5, 1, null],
    [-0.1, 1, null],
  ])('%s days before the end, last warned at %s: %s', (left, warned, due) => {
    expect(reminderDue(inDays(left), now, warned)).toBe(due)
  })
})
