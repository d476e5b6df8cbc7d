import { tab } from '../lib/storage.ts'

/**
 * Focus and scrolling after navigation, as a browser does after a page load. The new screen's heading is
 * focused, so that screen readers announce it. The page scrolls to its top, or, when going back, to its last
 * position.
 */
let isFirstScreen = true
let isGoingBack = false

/**
 * The storage key of a history entry's scroll position. The path is included, because typed addresses have no
 * step.
 */
function scrollKey(): string {
  const step = (history.state as { step?: string } | null)?.step ?? 'start' // as: navigate() writes this state
  return `scroll.${step}.${location.pathname}`
}

export function followScrolling(): void {
  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', () => {
    isGoingBack = true
  })
  // Stored while scrolling, because after navigation the old position is lost.
  let isFrameRequested = false
  window.addEventListener(
    'scroll',
    () => {
      if (isFrameRequested) return
      isFrameRequested = true
      requestAnimationFrame(() => {
        isFrameRequested = false
        tab.write(scrollKey(), String(Math.round(window.scrollY)))
      })
    },
    { passive: true },
  )
}

export function restoreScrollAndFocus(): void {
  const top = isGoingBack || isFirstScreen ? Number(tab.read(scrollKey()) ?? 0) : 0
  if (!isFirstScreen || top > 0) window.scrollTo({ top, behavior: 'instant' })
  if (!isFirstScreen) focusHeading()
  isFirstScreen = false
  isGoingBack = false
}

function focusHeading(): void {
  const main = document.querySelector('main')
  // The screen has already focused one of its own elements.
  if (main?.contains(document.activeElement)) return
  const target = document.querySelector<HTMLElement>('h1') ?? main
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
