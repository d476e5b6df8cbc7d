import { describe, expect, test } from 'vitest'
import { totpCode } from '../../test/sign-in/two-factor.ts'
import * as rules from './two-factor-codes.ts'

const secret = rules.secretOf(Buffer.from('12345678901234567890'))
const at = (seconds: number) => new Date(seconds * 1000)

test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('the test vectors of RFC 6238, at %i seconds: %s', (seconds, code) => {
  expect(rules.stepOf(secret, code, at(seconds), 0)).toBe(Math.floor(seconds / 30))
  expect(totpCode(secret, at(seconds))).toBe(code)
})

describe('time steps', () => {
  const now = at(1_800_000_015)
  const step = 60_000_000
  test.each([
    [-2, null],
    [-1, step - 1],
    [0, step],
    [1, step + 1],
    [2, null],
  ])('[V6.5.5] a code of the time step %i from now returns the step %s', (steps, expected) => {
    expect(rules.stepOf(secret, totpCode(secret, now, steps), now, 0)).toBe(expected)
  })

  test('[T-16] no step is accepted that is not later than the last one', () => {
    const of = (steps: number, last: number) => rules.stepOf(secret, totpCode(secret, now, steps), now, last)
    expect([of(0, step), of(-1, step), of(1, step), of(0, step - 1)]).toEqual([null, null, step + 1, step])
  })
})

describe('the failures of an hour', () => {
  const since = new Date('2026-01-01T10:00:00Z')
  test.each([
    ['10:59:59', { count: 7, since }],
    ['11:00:00', { count: 0, since: new Date('2026-01-01T11:00:00Z') }],
  ])('at %s', (time, expected) => {
    expect(rules.failuresNow(7, since, new Date(`2026-01-01T${time}Z`))).toEqual(expected)
  })
  test('none yet', () => {
    expect(rules.failuresNow(0, null, since)).toEqual({ count: 0, since })
  })
  test('the count resets an hour after the first failure', () => {
    expect(rules.secondsUntilReset(since, new Date('2026-01-01T10:15:00Z'))).toBe(2700)
  })
})

describe('backup codes', () => {
  test('[V6.5.4] 120 bits in six groups of letters and digits that can’t be mixed up', () => {
    expect(rules.backupCodeOf(Buffer.alloc(15))).toBe('0000-0000-0000-0000-0000-0000')
    expect(rules.backupCodeOf(Buffer.alloc(15, 255))).toBe('ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ-ZZZZ')
    expect(rules.backupCodeOf(Buffer.from('0000000000000000000000000001ff', 'hex'))).toBe(
      '0000-0000-0000-0000-0000-00FZ',
    )
  })

  test.each([
    [' 123 456 ', '123456', true],
    ['123-456', '123456', true],
    ['f4kd–91qt xm27-bw8e', 'F4KD91QTXM27BW8E', false],
    ['oOiIlL', '001111', true],
    ['１２３４５６', '１２３４５６', false],
    ['12345', '12345', false],
  ])('%s is read as %s', (typed, plain, app) => {
    expect(rules.plainCode(typed)).toBe(plain)
    expect(rules.isAppCode(rules.plainCode(typed))).toBe(app)
  })
})
