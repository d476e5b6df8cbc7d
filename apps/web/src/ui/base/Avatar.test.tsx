import { expect, test } from 'vitest'
import { initials } from './Avatar.tsx'

test.each([
  ['Mara Aldous', 'MA'],
  ['Claire Beaumont-Fitzgerald de la Roche', 'CR'],
  ['mara', 'MA'],
  ['', ''],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
