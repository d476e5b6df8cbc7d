import { landingPath } from '@plinth/contract/access'
import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { dropLinkToken, linkToken } from '../../../lib/link-token.ts'
import { navigate } from '../../../lib/navigate.ts'
import { type Path, paths } from '../../../lib/paths.ts'
import { checkSession } from '../../../lib/session/check.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'
import { endSession, session } from '../../../lib/session/store.ts'
import { toast } from '../../../ui/overlay/toast.ts'

/**
 * info: waits for the mail; link: opened from the mail; verifying: the server checks the link; expired: the
 * server rejected the link; password: the user must choose their own password.
 */
export type VerificationState = 'info' | 'link' | 'verifying' | 'expired' | 'password'

/** @param to destination after the verification; by default the first screen */
export function useVerification(to?: Path) {
  const [state, setState] = useState<VerificationState>(() => (linkToken(paths.verify) ? 'link' : 'info'))

  async function confirm(): Promise<void> {
    const token = linkToken(paths.verify)
    if (!token) return setState('info')
    setState('verifying')
    try {
      const { data, message } = await api.auth.verifyEmail({ body: { token } })
      dropLinkToken(paths.verify)
      await completeSignIn(data, to)
      if (message) toast({ variant: 'success', title: message })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'password_given') return setState('password')
      // Other errors say nothing about the link, so the user can try it again.
      const refused = error instanceof ApiError && (error.status === 422 || error.status === 409)
      const attached = error instanceof ApiError && error.code === 'sign_in_again'
      if (refused || attached) dropLinkToken(paths.verify)
      setState(refused ? 'expired' : 'link')
      if (attached) return signInAgain(error.message)
      if (!refused) handleFailure(error)
    }
  }

  return { state, confirm, sentAgain: () => setState('info'), expire: () => setState('expired') }
}

/** The server added the new account to an existing user and ended the session of the sign-up. */
function signInAgain(reason: string): void {
  endSession()
  navigate(paths.login, { replace: true })
  toast({ variant: 'info', description: reason })
}

const POLL_MS = 5000

/** Leaves this screen once the address was verified in another tab or on another device. */
export function useLeaveWhenVerified(): void {
  // Subscribes to a timer and to the focus of the window.
  useEffect(() => {
    async function checkVerified(): Promise<void> {
      if (document.visibilityState !== 'visible') return
      await checkSession()
      const user = session.get()
      if (user?.verified && !user.email_pending) navigate(landingPath(user), { replace: true })
    }
    const timer = setInterval(checkVerified, POLL_MS)
    window.addEventListener('focus', checkVerified)
    document.addEventListener('visibilitychange', checkVerified)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', checkVerified)
      document.removeEventListener('visibilitychange', checkVerified)
    }
  }, [])
}
