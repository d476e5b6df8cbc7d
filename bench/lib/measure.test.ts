import { expect, test } from 'vitest'
import { inTurns, median, ratio, sameDistribution } from './measure.ts'
import { judge } from './report.ts'

test('the median of an even number of values lies between the two in the middle', () => {
  expect(median([9, 1, 3])).toBe(3)
  expect(median([9, 1, 3, 4])).toBe(3.5)
})

test('two things are measured in turns, and each goes first as often', async () => {
  const order: string[] = []
  const note = (name: string, value: number) => async () => {
    order.push(name)
    return value
  }
  const rounds = await inTurns(3, note('ours', 6), note('floor', 2))
  expect(order).toEqual(['ours', 'floor', 'floor', 'ours', 'ours', 'floor'])
  expect(ratio(rounds, value => value)).toBe(3)
})

test('a slow round changes no ratio', () => {
  const rounds = [
    { ours: 8, floor: 10 },
    { ours: 1, floor: 10 },
    { ours: 4, floor: 5 },
  ]
  expect(ratio(rounds, value => value)).toBe(0.8)
})

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => n + from)

test('samples of one distribution look alike, shifted ones do not, equal ones are the same', () => {
  const [even, odd] = [upTo(200).filter(n => n % 2 === 0), upTo(200).filter(n => n % 2)]
  expect(sameDistribution(even, odd)).toBeGreaterThan(0.9)
  expect(sameDistribution(upTo(100), upTo(100, 30))).toBeLessThan(0.001)
  expect(sameDistribution([1, 1, 1], [1, 1, 1])).toBe(1)
  expect(sameDistribution(odd, even)).toBeCloseTo(sameDistribution(even, odd), 10)
})

test('the chance is the one that tables give', () => {
  const a = [1, 2, 3, 4, 5, 6, 7, 20, 21, 22]
  const b = [8, 9, 10, 11, 12, 13, 14, 15, 16, 23, 24, 25]
  // U = 27 where 60 is the middle and 15.17 the deviation: z = 2.176, and twice what lies beyond it.
  expect(sameDistribution(a, b)).toBeCloseTo(0.0296, 3)
})

const budget = { row: 'r', what: 'w', unit: 'x', details: {} }

test.each([
  ['more', 0.81, 'aim'],
  ['more', 0.7, 'pass'],
  ['more', 0.599, 'short'],
] as const)('where %s is better, %d is judged %s', (better, value, verdict) => {
  expect(judge({ ...budget, better, value, budget: 0.6, aim: 0.8 }).verdict).toBe(verdict)
})

test.each([
  ['less', 1.3, 'aim'],
  ['less', 2, 'pass'],
  ['less', 2.01, 'short'],
] as const)('where %s is better, %d is judged %s', (better, value, verdict) => {
  expect(judge({ ...budget, better, value, budget: 2, aim: 1.3 }).verdict).toBe(verdict)
})

test('what could not be measured is missing, never a pass', () => {
  const given = { ...budget, better: 'less' as const, budget: 2, aim: 1 }
  expect(judge({ ...given, value: null }).verdict).toBe('missing')
  expect(judge({ ...given, value: Number.NaN }).verdict).toBe('missing')
})
