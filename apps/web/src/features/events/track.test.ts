import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { fakeServer } from '../../../test/server.ts'
import { snapshot } from '../../ui/toast.ts'
import { track } from './track.ts'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

test('[call:POST /api/event] sends name and metadata', async () => {
  const server = fakeServer().answer('events.track', { data: {} })
  track('cancelled_onboarding', { step: 2 })
  await vi.waitFor(() => expect(server.asked('events.track')).toHaveLength(1))
  expect(server.all[0]?.body).toEqual({ name: 'cancelled_onboarding', metadata: { step: 2 } })
})

test('a lost event disturbs nobody', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue()
  fakeServer().answer('events.track', { status: 401, json: { message: 'No' } })
  track('upgraded')
  await vi.waitFor(() => expect(log).toHaveBeenCalled())
  expect(snapshot().filter(toast => toast.open)).toEqual([])
})
