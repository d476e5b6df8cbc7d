import { dismiss } from '../../ui/overlay/toast.ts'
import { api } from '../api/client.ts'
import { NoAnswer } from '../api/error.ts'
import { navigate } from '../navigate.ts'
import { paths } from '../paths.ts'
import { forgetDark } from '../theme.ts'
import { keepAgain, leave, session } from './store.ts'
import { endTelling } from './support-end.ts'

/**
 * Deletes the local session first, so that it is gone even if the call fails. Then ends the session on the
 * server.
 */
export function signOut(): void {
  const token = session.get()?.token
  // Toasts belong to the user who leaves. The toast about an ended support session comes next and stays.
  dismiss()
  endTelling(leave)
  forgetDark()
  navigate(paths.login, { replace: true })
  if (token) void endOnServer(token)
}

/**
 * The response clears the browser's storage, so a session that started in between must be stored again. When
 * offline, the request is repeated on reconnect while this page is open: the token is kept in memory only.
 * Otherwise the session expires after seven idle days.
 */
async function endOnServer(token: string): Promise<void> {
  try {
    await api.auth.signOut({ token, keepalive: true })
    keepAgain()
  } catch (error) {
    // The user has left, so other failures are only logged.
    console.error(error)
    if (error instanceof NoAnswer)
      window.addEventListener('online', () => void endOnServer(token), { once: true })
  }
}
