import { expect, test } from 'vitest'
import { niceStep, shortTick } from './chart-format.ts'
import { paletteAt } from './chart-types.ts'
import { isDecrease } from './trend.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k'],
  [1500, '1.5k'],
  [15_000, '15k'],
  [999_949, '999.9k'],
  [999_950, '1m'],
  [1_250_000, '1.3m'],
  [-4100, '−4.1k'],
  [-2_000_000, '−2m'],
  [12.34, '12.3'],
])('[const:chart.ticks] %d is shown as %s', (value, text) => {
  expect(shortTick(value)).toBe(text)
})

test.each([
  ['en', 60_000, '$60k'],
  ['en', -15_000, '−$15k'],
  ['de', 60_000, '60k\u00a0$'],
  ['de', 1500, '1,5k\u00a0$'],
  ['de', -1_250_000, '−1,3m\u00a0$'],
])('[const:chart.ticks] currency sign and decimal mark follow %s: %d is %s', (tag, value, text) => {
  const format = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'usd',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
  expect(shortTick(value, format)).toBe(text)
})

test.each([
  [[48_250], 15_000],
  [[4], 1],
  [[41], 15],
  [[0], undefined],
  [[-5, 10], undefined],
  [[], undefined],
])('the step for %j is %s', (values, step) => {
  expect(niceStep(values)).toBe(step)
})

test.each([
  ['+8.2%', false],
  ['8.2%', false],
  ['-4.1%', true],
  ['−4.1%', true],
  ['0%', false],
])('a change of %s points down: %s', (change, down) => {
  expect(isDecrease(change)).toBe(down)
})

test('[part:chart.palettes] series take the palettes in turn, starting with the given one', () => {
  expect([0, 1, 2, 3, 4].map(index => paletteAt('green', index))).toEqual([
    'green',
    'red',
    'blue',
    'purple',
    'green',
  ])
})
