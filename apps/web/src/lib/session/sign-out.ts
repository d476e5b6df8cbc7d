import { dismiss } from '../../ui/overlay/toast.ts'
import { api } from '../api/client.ts'
import { NoAnswer } from '../api/error.ts'
import { navigate } from '../navigate.ts'
import { paths } from '../paths.ts'
import { forgetDark } from '../theme.ts'
import { keepAgain, leave, session } from './store.ts'
import { endTelling } from './support-end.ts'

/** Clears this browser first, so that nothing is left even when the call fails, then ends the session on the server. */
export function signOut(): void {
  const token = session.get()?.token
  // What was told is about who leaves; the end of a support session, told next, is not.
  dismiss()
  endTelling(leave)
  forgetDark()
  navigate(paths.login, { replace: true })
  if (token) void tell(token)
}

/**
 * The answer has the browser clear its storage once more; whoever has signed in meanwhile is written down again.
 * Without a connection the server hears of it once there is one, as long as this page is open: the token is kept in
 * its memory alone. After that the session ends by itself, after seven idle days.
 */
async function tell(token: string): Promise<void> {
  try {
    await api.auth.signOut({ token, keepalive: true })
    keepAgain()
  } catch (error) {
    // Failing otherwise is no news to someone who has left.
    console.error(error)
    if (error instanceof NoAnswer) window.addEventListener('online', () => void tell(token), { once: true })
  }
}
