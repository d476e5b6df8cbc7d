import { api } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { handleFailure } from '../api/failure.ts'
import { applyPreferences } from './preferences.ts'
import { endSession, followNewer, mergeSession, session } from './store.ts'
import { endTelling, tellEnded } from './support-end.ts'

/**
 * Asks the server whether the session is valid. If not, deletes it, and the guard shows the sign-in page. If
 * so, merges the response into the session. Sends nothing without a session.
 * @param told 'told': show a toast when the session has ended; 'knows': the user ended it just now
 */
export async function checkSession(told: 'told' | 'knows' = 'told'): Promise<void> {
  const before = session.get()
  const token = before?.token
  if (!token) return
  try {
    const { data } = await api.auth.check()
    // The session was replaced while the request ran, so the response belongs to the old one.
    if (session.get()?.token !== token) return
    if (data.authenticated !== true) {
      if (!followNewer() && !endTelling(endSession) && told === 'told') tellEnded()
      return
    }
    // The session was changed while the request ran, so the response may be outdated.
    if (session.get() !== before) return checkSession(told)
    const { authenticated: _, ...user } = data
    mergeSession(user)
    await applyPreferences(user)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return void handleFailure(error)
    // Without a response, keep the stored session: the next call or check decides.
    console.error(error)
  }
}
