import { api } from '../../lib/api/client.ts'
import { session } from '../../lib/session/store.ts'

type Event = { name: string; metadata?: Record<string, string | number | boolean | null> }

/** The most events that one call takes; a full batch is sent at once. */
const batchSize = 20
const waitMs = 1000
/** Stops a page that is stuck in a loop. */
const maxPerPage = 200

let queue: Event[] = []
let sessionToken: string | undefined
let sent = 0
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Records a product event. The user neither waits for it nor sees a failure. Events within one second are
 * sent together, earlier when the page closes.
 */
export function track(name: string, metadata?: Event['metadata']): void {
  if (sent >= maxPerPage) return
  sent++
  flushOnLeave()
  const token = session.get()?.token
  // Waiting events belong to the previous session.
  if (token !== sessionToken) flush()
  sessionToken = token
  queue.push(metadata ? { name, metadata } : { name })
  if (queue.length >= batchSize) flush()
  else timer ??= setTimeout(flush, waitMs)
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  const [first, ...more] = queue
  queue = []
  if (!first || !sessionToken) return
  const body = more.length ? { events: [first, ...more] } : first
  // Uses the token of the events, because the session may have changed.
  api.events.track({ body, token: sessionToken, keepalive: true }).catch(console.error)
}

let isListening = false
/** Flushes when the page closes, or goes to the background on a phone. */
function flushOnLeave(): void {
  if (isListening) return
  isListening = true
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush()
  })
  window.addEventListener('pagehide', flush)
  // After a sign-out or an account switch, flushes while the old token still works.
  session.subscribe(() => {
    if (session.get()?.token !== sessionToken) flush()
  })
}
