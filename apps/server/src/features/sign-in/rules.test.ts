import { expect, test } from 'vitest'
import { hasOtherMethod } from './rules.ts'

test.each([
  [{ has_password: true, identities: 0, others: 0 }, true],
  [{ has_password: false, identities: 1, others: 0 }, true],
  [{ has_password: false, identities: 0, others: 1 }, true],
  [{ has_password: false, identities: 0, others: 0 }, false],
])('a sign-in method is left with %o: %s', (left, answer) => expect(hasOtherMethod(left)).toBe(answer))
