import { api } from '../../lib/api/client.ts'
import { session } from '../../lib/session/store.ts'

type Event = { name: string; metadata?: Record<string, string | number | boolean | null> }

/** As many as one call takes; a full batch goes at once. */
const batch = 20
const waitMs = 1000
/** A page that has lost its head sends no more than this. */
const mostOfAPage = 200

let waiting: Event[] = []
let whose: string | undefined
let sent = 0
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Records a product event. The visitor never waits for it and never hears of its failure: events of a second travel
 * together, at the latest when the page is left.
 */
export function track(name: string, metadata?: Event['metadata']): void {
  if (sent >= mostOfAPage) return
  sent++
  listen()
  const token = session.get()?.token
  // Those of somebody who has just left are theirs.
  if (token !== whose) flush()
  whose = token
  waiting.push(metadata ? { name, metadata } : { name })
  if (waiting.length >= batch) flush()
  else timer ??= setTimeout(flush, waitMs)
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  const [first, ...more] = waiting
  waiting = []
  if (!first || !whose) return
  const body = more.length ? { events: [first, ...more] } : first
  // The session may be another one by now, or none.
  api.events.track({ body, token: whose, keepalive: true }).catch(console.error)
}

let listening = false
/** The last moment at which a page that is left, or put away on a phone, still runs. */
function listen(): void {
  if (listening) return
  listening = true
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush()
  })
  window.addEventListener('pagehide', flush)
  // Signed out, or another account: before its token is worth nothing.
  session.subscribe(() => {
    if (session.get()?.token !== whose) flush()
  })
}
