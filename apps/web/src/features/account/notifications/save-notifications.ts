import type { NotificationSetting } from '@plinth/contract'
import { api } from '../../../lib/api/client.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { changeAnswer, refresh } from '../../../lib/data/query.ts'
import { session } from '../../../lib/session/store.ts'

type Changes = Partial<Record<NotificationSetting['name'], boolean>>

// Sends one call at a time, so that the last click wins.
let unsent: Changes = {}
let sessionToken: string | undefined
let sending = false

/**
 * Changes the switch at once and saves in the background. After a failure it shows the server's value again.
 */
export function toggleNotification(name: NotificationSetting['name']): void {
  let isActive: boolean | undefined
  // Reads the cached value, not the rendered one: a second quick click can come before the render.
  changeAnswer(api.notifications.list, settings =>
    settings.map(setting => {
      if (setting.name !== name) return setting
      isActive = !setting.active
      return { ...setting, active: isActive }
    }),
  )
  if (isActive === undefined) return
  const token = session.get()?.token
  // The session has changed: unsent changes belong to another account.
  if (token !== sessionToken) unsent = {}
  sessionToken = token
  unsent[name] = isActive
  if (!sending) void sendUnsent()
}

async function sendUnsent(): Promise<void> {
  sending = true
  while (Object.keys(unsent).length > 0) {
    const body = unsent
    unsent = {}
    try {
      await api.notifications.update({ body, token: sessionToken, keepalive: true })
    } catch (error) {
      unsent = {}
      if (session.get()?.token !== sessionToken) break
      handleFailure(error)
      refresh(api.notifications.list)
    }
  }
  sending = false
}

// Sends the last changes when the page closes.
window.addEventListener('pagehide', () => {
  if (sending) void sendUnsent()
})
