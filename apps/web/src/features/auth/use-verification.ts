import { landing } from '@plinth/contract/access'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { navigate } from '../../lib/navigate.ts'
import { checkSession } from '../../lib/session/check.ts'
import { enter } from '../../lib/session/enter.ts'
import { session } from '../../lib/session/store.ts'
import { toast } from '../../ui/toast.ts'
import { dropMailedToken, mailedToken } from './mailed-token.ts'

/** info: waiting for the mail; link: opened from it; verifying: being checked; expired: the link did not do. */
export type VerificationState = 'info' | 'link' | 'verifying' | 'expired'

export function useVerification() {
  const [state, setState] = useState<VerificationState>(() => (mailedToken() ? 'link' : 'info'))

  async function confirm(): Promise<void> {
    const token = mailedToken()
    if (!token) return setState('info')
    setState('verifying')
    try {
      const { data } = await api.auth.verifyEmail({ body: { token } })
      dropMailedToken()
      await enter(data)
    } catch (error) {
      // Only an answer about the link is a verdict on it; after anything else the same link can be tried again.
      const refused = error instanceof ApiError && (error.status === 422 || error.status === 409)
      const attached = error instanceof ApiError && error.code === 'sign_in_again'
      if (refused || attached) dropMailedToken()
      setState(refused ? 'expired' : 'link')
      if (!refused) handleFailure(error)
      // Signed out, but not for nothing: the new account belongs to a user who was here before.
      if (attached) toast({ variant: 'info', description: error.message })
    }
  }

  return { state, confirm, sentAgain: () => setState('info') }
}

const EVERY = 5000

/** Looks whether the address was proven in another tab or on another device, and moves on when it was. */
export function useMovingOn(): void {
  // A clock and the window's focus are outside React.
  useEffect(() => {
    async function look(): Promise<void> {
      if (document.visibilityState !== 'visible') return
      await checkSession()
      const user = session.get()
      if (user?.verified) navigate(landing(user), { replace: true })
    }
    const timer = setInterval(look, EVERY)
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}
