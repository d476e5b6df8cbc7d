import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { fakeServer } from '../../../test/server.ts'
import { keepSession, leave } from '../../lib/session/store.ts'
import { snapshot } from '../../ui/overlay/toast.ts'

// The queue belongs to the module, so each test loads its own.
let track: typeof import('./track.ts').track
beforeEach(async () => {
  freshBrowser()
  await withTexts()
  keepSession(sessionUser())
  vi.useFakeTimers()
  vi.resetModules()
  ;({ track } = await import('./track.ts'))
  const store = await import('../../lib/session/store.ts')
  store.keepSession(sessionUser())
})
afterEach(() => {
  vi.useRealTimers()
  leave()
})

function server() {
  const fake = fakeServer().answer('events.track', { data: {} })
  return { fake, bodies: () => fake.asked('events.track').map(({ body }) => body) }
}

test('[call:POST /api/event] [feature:events] [entity:event] sends name and metadata after a second', async () => {
  const { fake, bodies } = server()
  track('cancelled_onboarding', { step: 2 })
  expect(bodies()).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(bodies()).toEqual([{ name: 'cancelled_onboarding', metadata: { step: 2 } }])
  expect(fake.all[0]?.headers.get('authorization')).toBe('Bearer token-of-mara')
})

test('events of one second are sent together; a full batch is sent at once', async () => {
  const { bodies } = server()
  track('one')
  track('two', { n: 2 })
  await vi.advanceTimersByTimeAsync(1000)
  expect(bodies()).toEqual([{ events: [{ name: 'one' }, { name: 'two', metadata: { n: 2 } }] }])
  for (let n = 0; n < 45; n++) track('many')
  expect(bodies().slice(1)).toMatchObject([{ events: { length: 20 } }, { events: { length: 20 } }])
  await vi.advanceTimersByTimeAsync(1000)
  expect(bodies()).toHaveLength(4)
})

test('a hidden page sends its waiting events', () => {
  const { bodies } = server()
  track('one')
  window.dispatchEvent(new Event('pagehide'))
  expect(bodies()).toEqual([{ name: 'one' }])
})

test('events before a sign-out are sent with the old session', async () => {
  const { fake } = server()
  track('one')
  const store = await import('../../lib/session/store.ts')
  store.leave()
  expect(fake.all.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token-of-mara'])
  // Without a session nothing is recorded.
  track('two')
  await vi.advanceTimersByTimeAsync(1000)
  expect(fake.all).toHaveLength(1)
})

test('a page in a loop stops sending at a limit [T-81]', async () => {
  const { bodies } = server()
  for (let n = 0; n < 1000; n++) track('again')
  await vi.advanceTimersByTimeAsync(1000)
  expect(bodies()).toHaveLength(10)
})

test('a failed call is only logged', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  fakeServer().answer('events.track', { status: 401, json: { message: 'No' } })
  track('upgraded')
  await vi.advanceTimersByTimeAsync(1000)
  await vi.waitFor(() => expect(log).toHaveBeenCalled())
  expect(snapshot().filter(toast => toast.open)).toEqual([])
})
