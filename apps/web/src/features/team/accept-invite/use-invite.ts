import type { Contract, Reply } from '@plinth/contract'
import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { useSession } from '../../../lib/session/store.ts'

export type Invite = Reply<Contract['team']['previewInvite']>
type Loaded = { request: string; invite: Invite | null; state: 'valid' | 'used' | 'gone' | 'failed' }

/** Loads the invite of a link, and whether the signed-in user is the invited one. */
export function useInvite(secret: string) {
  // The answer depends on the signed-in user, so a sign-out fetches it again. A sign-in does not: it means
  // that the invite was accepted, and the page is leaving.
  const present = useSession() !== null
  const [signedIn, setSignedIn] = useState(present)
  const [before] = useState(present)
  if (signedIn && !present) setSignedIn(false)
  const [round, setRound] = useState(0)
  const request = `${secret} ${signedIn} ${round}`
  const [loaded, setLoaded] = useState<Loaded | null>(null)

  // Not a cached query: the secret goes in the body, and the answer is not stored.
  useEffect(() => {
    let stale = false
    const show = (next: Omit<Loaded, 'request'>) => {
      if (!stale) setLoaded({ request, ...next })
    }
    api.team.previewInvite({ body: { invite_id: secret } }).then(
      ({ data }) => show({ invite: data, state: 'valid' }),
      error => {
        const state = stateOfError(error)
        if (state === 'failed' && !stale) handleFailure(error)
        show({ invite: null, state })
      },
    )
    return () => {
      stale = true
    }
  }, [secret, request])

  const current = loaded?.request === request ? loaded : null
  return {
    invite: current?.invite ?? null,
    state: current?.state ?? null,
    retry: () => setRound(round + 1),
    /** For calls that use the invite: true when it has expired since it was loaded. */
    handleExpired(error: unknown): boolean {
      const isExpired = error instanceof ApiError && error.code === 'invite_expired'
      if (isExpired) setLoaded({ request, invite: null, state: 'gone' })
      return isExpired
    },
    /** Loaded again, so the pressed button is gone. */
    reloaded: round > 0 || (before && !present),
  }
}

/** Other errors say nothing about the invite. Only the signed-in user who used it gets `invite_used`. */
function stateOfError(error: unknown): 'used' | 'gone' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.code === 'invite_used') return 'used'
  return error.status === 422 ? 'gone' : 'failed'
}
