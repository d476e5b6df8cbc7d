import { expect, test } from 'vitest'
import { circleOf } from './no-circles.ts'

const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports })

test('finds a cycle and names its chunks', () => {
  expect(circleOf([chunk('a', 'b'), chunk('b', 'c'), chunk('c', 'b')])).toEqual(['b', 'c', 'b'])
  expect(circleOf([chunk('a', 'a')])).toEqual(['a', 'a'])
})

test('shared chunks and unknown files are not a cycle', () => {
  expect(circleOf([chunk('a', 'b', 'c'), chunk('b', 'c', 'outside'), chunk('c')])).toBeNull()
})
