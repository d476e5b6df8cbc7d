import { expect, test, vi } from 'vitest'
import { freshBrowser } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { keepSession } from '../../lib/session/store.ts'

/** Loads the modules like a reload: only the browser's storage stays. */
async function reload() {
  vi.resetModules()
  const { greetUser } = await import('./greet-user.ts')
  const { snapshot } = await import('../../ui/overlay/toast.ts')
  return { greetUser, greetings: () => snapshot().length }
}

test('a reload does not greet again', async () => {
  freshBrowser()
  keepSession(sessionUser())
  const first = await reload()
  first.greetUser()
  expect(first.greetings()).toBe(1)
  const second = await reload()
  second.greetUser()
  expect(second.greetings()).toBe(0)
})
