import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { tab } from '../lib/storage.ts'

beforeEach(() => {
  vi.resetModules()
  vi.spyOn(window, 'scrollTo').mockReturnValue()
  vi.stubGlobal('requestAnimationFrame', (run: FrameRequestCallback) => {
    run(0)
    return 0
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  history.replaceState(null, '', '/')
})

/** A page load: without the history state that navigation in the app sets. */
async function load(path: string) {
  history.replaceState(null, '', path)
  const { restoreScrollAndFocus, followScrolling } = await import('./scroll-restoration.ts')
  followScrolling()
  restoreScrollAndFocus()
}

function scroll(to: number) {
  vi.stubGlobal('scrollY', to)
  window.dispatchEvent(new Event('scroll'))
}

describe('a page load', () => {
  test('restores the scroll position of the same page; another page starts at its top', async () => {
    tab.clear()
    await load('/account/profile')
    scroll(103)
    vi.resetModules()
    await load('/account/users')
    expect(window.scrollTo).not.toHaveBeenCalled()
    vi.resetModules()
    await load('/account/profile')
    expect(window.scrollTo).toHaveBeenCalledWith({ top: 103, behavior: 'instant' })
  })
})
