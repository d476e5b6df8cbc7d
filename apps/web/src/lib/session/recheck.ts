import { checkSession } from './check.ts'

const PAUSE_MS = 15_000

/**
 * Checks the session again on navigation and window focus, because the role, the plan or the session can
 * change elsewhere. Returns a function that stops it.
 */
export function recheckSession(): () => void {
  // The session was checked at start-up.
  let last = Date.now()
  function recheck(): void {
    if (document.visibilityState !== 'visible' || Date.now() - last < PAUSE_MS) return
    last = Date.now()
    void checkSession()
  }
  // The router dispatches `pushState` for its own navigation.
  const events = ['pushState', 'popstate', 'focus', 'visibilitychange']
  for (const event of events) window.addEventListener(event, recheck)
  return () => {
    for (const event of events) window.removeEventListener(event, recheck)
  }
}
