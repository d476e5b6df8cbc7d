import { tab } from '../lib/storage.ts'

/**
 * What a browser does for a page that is loaded and a router has to do itself: the focus goes to the new screen's
 * heading, so that it is announced and Tab goes on from there, and the page scrolls to its top, or, going back,
 * to where it was left.
 */
let first = true
let returning = false

/** A page of its own: a typed address has no step, and another page's place is not its place. */
function keyOf(): string {
  const step = (history.state as { step?: string } | null)?.step ?? 'start' // as: navigate() writes this state
  return `scroll.${step}.${location.pathname}`
}

export function followScrolling(): void {
  history.scrollRestoration = 'manual'
  window.addEventListener('popstate', () => {
    returning = true
  })
  // Noted while it lasts: when the address has changed, the place of the old one can't be read any more.
  let waiting = false
  window.addEventListener(
    'scroll',
    () => {
      if (waiting) return
      waiting = true
      requestAnimationFrame(() => {
        waiting = false
        tab.write(keyOf(), String(Math.round(window.scrollY)))
      })
    },
    { passive: true },
  )
}

export function restoreScrollAndFocus(): void {
  const place = returning || first ? Number(tab.read(keyOf()) ?? 0) : 0
  if (!first || place > 0) window.scrollTo({ top: place, behavior: 'instant' })
  if (!first) focusHeading()
  first = false
  returning = false
}

function focusHeading(): void {
  const main = document.querySelector('main')
  // A screen that asks one question has put the focus there itself.
  if (main?.contains(document.activeElement)) return
  const target = document.querySelector<HTMLElement>('h1') ?? main
  if (!target) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
