import { expect, test } from 'vitest'
import { inTurns, median, ratio } from './measure.ts'
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
