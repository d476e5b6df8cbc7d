import { expect, test } from 'vitest'
import { isDown } from './change.ts'
import { niceStep, shortTick } from './chart-format.ts'
import { paletteAt } from './chart-types.ts'

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
])('[const:chart.ticks] %d is drawn as %s', (value, text) => {
  expect(shortTick(value)).toBe(text)
})

test('the minus sign stands before the unit', () => {
  expect(shortTick(-15_000, '$')).toBe('−$15k')
})

test.each([
  [[48_250], 15_000],
  [[4], 1],
  [[41], 15],
  [[0], undefined],
  [[-5, 10], undefined],
  [[], undefined],
])('the steps for %j are %s', (values, step) => {
  expect(niceStep(values)).toBe(step)
})

test.each([
  ['+8.2%', false],
  ['8.2%', false],
  ['-4.1%', true],
  ['−4.1%', true],
  ['0%', false],
])('a change of %s points down: %s', (change, down) => {
  expect(isDown(change)).toBe(down)
})

test('[part:chart.palettes] series take the palettes in turn, beginning with the one given', () => {
  expect([0, 1, 2, 3, 4].map(index => paletteAt('green', index))).toEqual([
    'green',
    'red',
    'blue',
    'purple',
    'green',
  ])
})
