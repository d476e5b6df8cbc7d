import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dismiss, REMOVE_AFTER, snapshot, subscribe, toast, update } from './toast.ts'

const titles = () => snapshot().map(one => one.title)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  dismiss()
  vi.runAllTimers()
  vi.useRealTimers()
})

test('newest first; the fourth toast removes the oldest [part:toast.newest-first] [const:toast.visible]', () => {
  for (const title of ['one', 'two', 'three', 'four']) toast({ title })
  expect(titles()).toEqual(['four', 'three', 'two'])
})

test('a repeated open toast replaces itself and removes no other [shell:toasts]', () => {
  toast({ title: 'one' })
  const first = toast({ title: 'saved', variant: 'success' })
  toast({ title: 'two' })
  const again = toast({ title: 'saved', variant: 'success' })
  expect(titles()).toEqual(['saved', 'two', 'one'])
  expect(again).not.toBe(first)
  toast({ title: 'saved', variant: 'error' })
  expect(titles()).toEqual(['saved', 'saved', 'two'])
  dismiss(again)
  toast({ title: 'saved', variant: 'success' })
  expect(snapshot().map(one => one.open)).toEqual([true, true, false])
})

test('dismiss closes a toast and removes it 10 seconds later [const:toast.removal]', () => {
  const id = toast({ title: 'going' })
  toast({ title: 'staying' })
  dismiss(id)
  expect(snapshot().map(one => [one.title, one.open])).toEqual([
    ['staying', true],
    ['going', false],
  ])
  vi.advanceTimersByTime(REMOVE_AFTER - 1)
  expect(titles()).toEqual(['staying', 'going'])
  vi.advanceTimersByTime(1)
  expect(titles()).toEqual(['staying'])
})

test('dismiss without an id closes all', () => {
  toast({ title: 'one' })
  toast({ title: 'two' })
  dismiss()
  expect(snapshot().every(one => !one.open)).toBe(true)
})

test('update changes the given fields and keeps the others [part:toast.update]', () => {
  const id = toast({ title: 'Saving', variant: 'info' })
  update(id, { title: 'Saved', variant: 'success' })
  expect(snapshot()[0]).toMatchObject({ id, title: 'Saved', variant: 'success', open: true })
})

test('listeners are called on every change until they unsubscribe', () => {
  const listener = vi.fn()
  const unsubscribe = subscribe(listener)
  const id = toast({ title: 'one' })
  update(id, { title: 'two' })
  unsubscribe()
  dismiss(id)
  expect(listener).toHaveBeenCalledTimes(2)
})
