import type { SignInReply } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { completeSignIn } from '../../lib/session/complete-sign-in.ts'
import { leave, session } from '../../lib/session/store.ts'

/**
 * Signs in where another session may be open. Ends that session here and on the server, and clears the drafts
 * of another user. While the second factor is missing, nothing changes.
 * @param email the address of the user, if known
 */
export async function replaceSession(answer: SignInReply, otherUser: boolean, email?: string): Promise<void> {
  const before = session.get()?.token
  const enters = !('2fa_required' in answer)
  if (enters && otherUser) leave()
  // Signs out before the new session is stored: the answer clears the browser's storage, which this page
  // would take for a sign-out in another tab. A failure is only logged, because the old session expires by itself.
  if (enters && before) await api.auth.signOut({ token: before, keepalive: true }).catch(console.error)
  await completeSignIn(answer, undefined, email)
}
