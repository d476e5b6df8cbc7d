import { api } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { handleFailure } from '../api/failure.ts'
import { applyPreferences } from './preferences.ts'
import { endSession, followNewer, mergeSession, session } from './store.ts'
import { endTelling, tellEnded } from './support-end.ts'

/**
 * Asks the server who is signed in. Not authenticated: the session is deleted and the guard shows the sign-in page.
 * Authenticated: the answer is merged into the session. Without a stored user nothing is asked.
 * @param told whether somebody whose session has ended hears of it; who has just ended it knows
 */
export async function checkSession(told: 'told' | 'knows' = 'told'): Promise<void> {
  const before = session.get()
  const token = before?.token
  if (!token) return
  try {
    const { data } = await api.auth.check()
    // Signed out, switched or signed in again meanwhile: the answer is about somebody else.
    if (session.get()?.token !== token) return
    if (data.authenticated !== true) {
      if (!followNewer() && !endTelling(endSession) && told === 'told') tellEnded()
      return
    }
    // The session changed here while the server answered: this answer may be older.
    if (session.get() !== before) return checkSession(told)
    const { authenticated: _, ...user } = data
    mergeSession(user)
    await applyPreferences(user)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return void handleFailure(error)
    // No answer is no verdict: the stored user stays, and the next call or check will tell.
    console.error(error)
  }
}
