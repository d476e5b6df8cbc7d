import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { backupCodeOf, secretOf } from '../../src/identity/two-factor-codes.ts'
import { newApiKey } from '../../src/lib/api-key.ts'
import { newToken } from '../../src/lib/crypto.ts'

/**
 * T-86: every secret that is made is one of these, as scripts/secrets.test.ts looks up. The bounds are so wide that a good
 * source never passes them (each less than once in 10^18 runs), and a bad one always does.
 */
const many = 10_000
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const hex = '0123456789abcdef'

/** The random part of a secret, as numbers below a base. */
type Kind = {
  make: () => string
  shape: RegExp
  read: (secret: string) => number[]
  base: number
  bits: number
}
const lettersOf = (alphabet: string) => (text: string) => [...text].map(letter => alphabet.indexOf(letter))
const bytesOf = (text: string) => [...Buffer.from(text, 'base64url')]

const kinds: Record<string, Kind> = {
  'a token: sessions, second steps, links, hand-overs, states, cookies': {
    make: newToken,
    shape: /^[\w-]{43}$/,
    read: bytesOf,
    base: 256,
    bits: 256,
  },
  'the challenge and the handle of a passkey': {
    make: () => randomBytes(32).toString('base64url'),
    shape: /^[\w-]{43}$/,
    read: bytesOf,
    base: 256,
    bits: 256,
  },
  'a backup code': {
    make: () => backupCodeOf(randomBytes(15)),
    shape: /^(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}$/,
    read: code => lettersOf(crockford)(code.replaceAll('-', '')),
    base: 32,
    bits: 120,
  },
  'the secret of an authenticator app': {
    make: () => secretOf(randomBytes(20)),
    shape: /^[A-Z2-7]{32}$/,
    read: lettersOf(base32),
    base: 32,
    bits: 160,
  },
  'the id of a SAML request': {
    make: () => randomBytes(20).toString('hex'),
    shape: /^[0-9a-f]{40}$/,
    read: lettersOf(hex),
    base: 16,
    bits: 160,
  },
  'the proof of a domain': {
    make: () => randomBytes(16).toString('hex'),
    shape: /^[0-9a-f]{32}$/,
    read: lettersOf(hex),
    base: 16,
    bits: 128,
  },
  'an API key': {
    make: () => newApiKey('test'),
    shape: /^plinth_test_[0-9A-Za-z]{38}$/,
    read: key => lettersOf(base62)(key.slice(12, 44)),
    base: 62,
    bits: 190,
  },
}

/** Chi square of the counts in standard deviations (Wilson and Hilferty's approximation). */
function surprise(counts: number[], expected: number): number {
  const square = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  const free = counts.length - 1
  const spread = 2 / (9 * free)
  return (Math.cbrt(square / free) - (1 - spread)) / Math.sqrt(spread)
}

describe.each(Object.entries(kinds))('T-86 %s', (_, { make, shape, read, base, bits }) => {
  const made = Array.from({ length: many }, make)
  const numbers = made.map(read)

  test('has its shape and its bits, and never comes twice', () => {
    expect(made.filter(secret => !shape.test(secret))).toEqual([])
    expect(new Set(made).size).toBe(many)
    expect(numbers.every(all => all.every(n => n >= 0 && n < base))).toBe(true)
    expect((numbers[0]?.length ?? 0) * Math.log2(base)).toBeGreaterThanOrEqual(bits)
    // Nor does a part of one: no counter, no time, nothing that grows.
    const half = Math.ceil((numbers[0]?.length ?? 0) / 2)
    for (const part of [numbers.map(all => all.slice(0, half)), numbers.map(all => all.slice(-half))])
      expect(new Set(part.map(String)).size).toBe(many)
  })

  test('has every value as often as chance does, at each place and over all', () => {
    const places = numbers[0]?.length ?? 0
    const over = Array<number>(base).fill(0)
    for (let place = 0; place < places; place++) {
      const at = Array<number>(base).fill(0)
      for (const all of numbers) {
        const value = all[place] ?? 0
        at[value] = (at[value] ?? 0) + 1
        over[value] = (over[value] ?? 0) + 1
      }
      expect(Math.abs(surprise(at, many / base)), `place ${place}`).toBeLessThan(10)
    }
    expect(Math.abs(surprise(over, (many * places) / base))).toBeLessThan(10)
  })

  test('says nothing of the one before it', () => {
    // Differences between neighbours are spread as evenly as the values.
    const steps = Array<number>(base).fill(0)
    for (const [n, all] of numbers.slice(1).entries())
      for (const [place, value] of all.entries()) {
        const step = (value - (numbers[n]?.[place] ?? 0) + base) % base
        steps[step] = (steps[step] ?? 0) + 1
      }
    expect(Math.abs(surprise(steps, ((many - 1) * (numbers[0]?.length ?? 0)) / base))).toBeLessThan(10)
  })
})

test('the measure fires: on a counter, a narrow source and one that is too even', () => {
  const counts = (values: number[]) =>
    values.reduce((all, value) => all.with(value, (all[value] ?? 0) + 1), Array<number>(256).fill(0))
  const counter = Array.from({ length: many }, (_, n) => n % 200)
  const even = Array.from({ length: 25_600 }, (_, n) => n % 256)
  expect(surprise(counts(counter), many / 256)).toBeGreaterThan(10)
  expect(surprise(counts(even), 100)).toBeLessThan(-10)
})
