import { api } from '../api/client.ts'
import { navigate } from '../navigate.ts'
import { paths } from '../paths.ts'
import { forgetDark } from '../theme.ts'
import { leave, session } from './store.ts'

/** Clears this browser first, so that nothing is left even when the call fails, then ends the session on the server. */
export function signOut(): void {
  const token = session.get()?.token
  leave()
  forgetDark()
  navigate(paths.login, { replace: true })
  if (!token) return
  // Failing is no news to someone who has left: the session ends by itself after seven idle days.
  api.auth.signOut({ token, keepalive: true }).catch(console.error)
}
