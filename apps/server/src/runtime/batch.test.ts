import { expect, test, vi } from 'vitest'
import { batched } from './batch.ts'

/** An `ask` that answers on demand and records its questions. */
function slow() {
  const asked: { keys: number[]; answer(values?: number[]): void; fail(): void }[] = []
  const ask = (keys: number[]) =>
    new Promise<number[]>((resolve, reject) => {
      asked.push({
        keys,
        answer: (values = keys.map(key => key * 10)) => resolve(values),
        fail: () => reject(new Error('gone')),
      })
    })
  return { asked, ask }
}

test('a single query runs immediately; queries during it run as one batch, each with its own result', async () => {
  const { asked, ask } = slow()
  const get = batched({ lanes: 1, most: 10, patienceMs: 1000 }, ask)
  const answers = [get(1), get(2), get(3)]
  expect(asked.map(({ keys }) => keys)).toEqual([[1]])
  asked[0]?.answer()
  await answers[0]
  expect(asked.map(({ keys }) => keys)).toEqual([[1], [2, 3]])
  asked[1]?.answer()
  expect(await Promise.all(answers)).toEqual([10, 20, 30])
})

test('a slow batch lets the next one start up to the parallel limit; no batch exceeds its size', async () => {
  vi.useFakeTimers()
  const { asked, ask } = slow()
  const get = batched({ lanes: 2, most: 2, patienceMs: 10 }, ask)
  const answers = [1, 2, 3, 4, 5, 6].map(get)
  const keys = () => asked.map(one => one.keys)
  vi.advanceTimersByTime(9)
  expect(keys()).toEqual([[1]])
  vi.advanceTimersByTime(1)
  expect(keys()).toEqual([[1], [2, 3]])
  vi.advanceTimersByTime(1000)
  expect(keys()).toEqual([[1], [2, 3]])
  asked[1]?.answer()
  await answers[2]
  expect(keys()).toEqual([[1], [2, 3], [4, 5]])
  asked[0]?.answer()
  await answers[0]
  expect(keys()).toEqual([[1], [2, 3], [4, 5]])
  asked[2]?.answer()
  await answers[4]
  asked[3]?.answer()
  expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50, 60])
  vi.useRealTimers()
})

test('a failure rejects the questions of its batch only', async () => {
  const { asked, ask } = slow()
  const get = batched({ lanes: 1, most: 10, patienceMs: 1000 }, ask)
  const first = get(1)
  const others = Promise.allSettled([get(2), get(3)])
  asked[0]?.answer()
  expect(await first).toBe(10)
  asked[1]?.fail()
  expect((await others).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = get(4)
  asked[2]?.answer()
  expect(await next).toBe(40)
})

test('a missing value is an error', async () => {
  const { asked, ask } = slow()
  const get = batched({ lanes: 1, most: 10, patienceMs: 1000 }, ask)
  const one = get(1)
  asked[0]?.answer([])
  await expect(one).rejects.toThrow('Expected 1 values, got 0')
})
