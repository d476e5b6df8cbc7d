import { expect, test } from 'vitest'
import { id } from './fields.ts'

test('an id in capital letters is parsed to the same id in lower case', () => {
  const one = '0198c2d4-7f6e-7abc-8def-0123456789ab'
  expect(id.parse(one.toUpperCase())).toBe(one)
})
