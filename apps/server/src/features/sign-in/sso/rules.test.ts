import { describe, expect, test } from 'vitest'
import { nameFor, reminderDue, whyNotChange } from './rules.ts'

const owners = ['a', 'b']
const at = (tested: boolean, enabled: boolean, enforced: boolean, has_domain = true) => ({
  tested,
  enabled,
  enforced,
  has_domain,
})

describe('settings that may be changed', () => {
  test.each([
    [at(false, false, false), { enabled: true }, 'sso_not_tested'],
    [at(true, false, false), { enabled: true }, null],
    [at(true, false, false), { enforced: true, break_glass: ['a'] }, 'sso_not_tested'],
    [at(true, false, false), { enabled: true, enforced: true, break_glass: ['a'] }, null],
    [at(true, true, false), { enforced: true }, 'sso_break_glass'],
    [at(true, true, false), { enforced: true, break_glass: [] }, 'sso_break_glass'],
    [at(true, true, false), { enforced: true, break_glass: ['a', 'x'] }, 'sso_break_glass'],
    [at(true, true, false), { enforced: true, break_glass: ['a', 'b'] }, null],
    [at(true, true, false, false), { enforced: true, break_glass: ['a'] }, 'sso_last_domain'],
    [at(true, true, true, false), { enforced: false }, null],
    [at(true, true, true), { break_glass: [] }, 'sso_break_glass'],
    [at(true, true, true), { enforced: true }, null],
    [at(true, true, true), { enforced: false }, null],
    [at(true, true, true), { enabled: false }, null],
    [at(false, true, true), { default_role: 'admin' as const }, null],
    [at(true, true, false), { break_glass: [] }, null],
  ])('%j, then %j: %s', (before, change, code) => {
    expect(whyNotChange(before, change, owners)).toBe(code)
  })
})

test.each([
  [31, null],
  [30, 30],
  [8, 30],
  [7, 7],
  [1.5, 7],
  [1, 1],
  [0, 1],
  [-1, null],
])('%s days before the end: the reminder of %s', (days, due) => {
  const now = new Date('2026-01-01T00:00:00Z')
  expect(reminderDue(new Date(now.getTime() + days * 86_400_000), now)).toBe(due)
})

test('a user without a name gets the local part of the address', () => {
  const email = 'ida.ek@x.example'
  expect(nameFor({ email, first_name: null, last_name: null })).toEqual({
    first_name: 'ida.ek',
    last_name: '',
  })
  expect(nameFor({ email, first_name: 'Ida', last_name: 'Ek' })).toEqual({
    first_name: 'Ida',
    last_name: 'Ek',
  })
})
