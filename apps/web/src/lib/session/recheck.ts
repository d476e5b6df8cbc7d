import { checkSession } from './check.ts'

const PAUSE_MS = 15_000

/**
 * Checks the session again when another screen opens or the window gets the focus: the role, the plan or the session
 * itself may have been changed elsewhere. Returns the function that stops it.
 */
export function recheckSession(): () => void {
  // The page itself checks the session when it starts.
  let last = Date.now()
  function recheck(): void {
    if (document.visibilityState !== 'visible' || Date.now() - last < PAUSE_MS) return
    last = Date.now()
    void checkSession()
  }
  // `pushState` is the router's event for its own navigation.
  const events = ['pushState', 'popstate', 'focus', 'visibilitychange']
  for (const event of events) window.addEventListener(event, recheck)
  return () => {
    for (const event of events) window.removeEventListener(event, recheck)
  }
}
