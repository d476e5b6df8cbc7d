import { expect, test, vi } from 'vitest'
import { freshBrowser } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { keepSession } from '../../lib/session/store.ts'

/** Loads the modules like a reload: only the browser's storage stays. */
async function reload() {
  vi.resetModules()
  const { greet } = await import('./greet.ts')
  const { snapshot } = await import('../../ui/overlay/toast.ts')
  return { greet, greetings: () => snapshot().length }
}

test('a reload does not greet again', async () => {
  freshBrowser()
  keepSession(sessionUser())
  const first = await reload()
  first.greet()
  expect(first.greetings()).toBe(1)
  const second = await reload()
  second.greet()
  expect(second.greetings()).toBe(0)
})
