import type { NotificationSetting } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { changeAnswer, refresh } from '../../../lib/data/query.ts'
import { session } from '../../../lib/session/store.ts'

type Flips = Partial<Record<NotificationSetting['name'], boolean>>

// Flips are sent one call after the other: what is clicked last is what the server keeps, however fast the clicks are.
let waiting: Flips = {}
let whose: string | undefined
let sending = false

/** Flips at once and is saved behind; when that fails, it shows what the server has. */
export function flip(name: NotificationSetting['name']): void {
  let now: boolean | undefined
  // By what is known, not by what is drawn: the second of two quick clicks comes before the drawing.
  changeAnswer(api.notifications.list, settings =>
    settings.map(setting => {
      if (setting.name !== name) return setting
      now = !setting.active
      return { ...setting, active: now }
    }),
  )
  if (now === undefined) return
  const token = session.get()?.token
  // Another account's, by now: not theirs to change.
  if (token !== whose) waiting = {}
  whose = token
  waiting[name] = now
  if (!sending) void send()
}

async function send(): Promise<void> {
  sending = true
  while (Object.keys(waiting).length > 0) {
    const body = waiting
    waiting = {}
    try {
      await api.notifications.update({ body, token: whose, keepalive: true })
    } catch (error) {
      waiting = {}
      if (session.get()?.token !== whose) break
      handleFailure(error)
      refresh(api.notifications.list)
    }
  }
  sending = false
}

// A page that is left takes its last flips along.
window.addEventListener('pagehide', () => {
  if (sending) void send()
})
