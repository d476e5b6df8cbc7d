import type { SignInReply } from '@plinth/contract'
import { api } from '../../lib/api/client.ts'
import { completeSignIn } from '../../lib/session/complete-sign-in.ts'
import { leave, session } from '../../lib/session/store.ts'

/**
 * Enters where somebody may be signed in already: their session ends here and on the server, and what another user
 * typed in this tab goes with it. Where the second factor is still due, everything stays until it is shown.
 * @param whose the address that the answer is about, where it is known
 */
export async function replaceSession(answer: SignInReply, otherUser: boolean, whose?: string): Promise<void> {
  const before = session.get()?.token
  const enters = !('2fa_required' in answer)
  if (enters && otherUser) leave()
  // Before the new one is written down: the answer has the browser clear its storage, and this page would take that for
  // a sign-out in another tab. Failing is no news: the session that nobody holds any longer ends by itself.
  if (enters && before) await api.auth.signOut({ token: before, keepalive: true }).catch(console.error)
  await completeSignIn(answer, undefined, whose)
}
