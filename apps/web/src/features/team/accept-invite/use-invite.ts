import type { Contract, Reply } from '@plinth/contract'
import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { useSession } from '../../../lib/session/store.ts'

export type Invite = Reply<Contract['team']['previewInvite']>
type Seen = { of: string; invite: Invite | null; state: 'there' | 'used' | 'gone' | 'failed' }

/** Loads the invite of a link, and whether the signed-in user is the invited one. */
export function useInvite(secret: string) {
  // The answer depends on the signed-in user, so a sign-out fetches it again. A sign-in does not: it means
  // that the invite was accepted, and the page is leaving.
  const present = useSession() !== null
  const [signedIn, setSignedIn] = useState(present)
  const [before] = useState(present)
  if (signedIn && !present) setSignedIn(false)
  const [round, setRound] = useState(0)
  const of = `${secret} ${signedIn} ${round}`
  const [seen, setSeen] = useState<Seen | null>(null)

  // Not a cached query: the secret goes in the body, and the answer is not stored.
  useEffect(() => {
    let stale = false
    const tell = (next: Omit<Seen, 'of'>) => {
      if (!stale) setSeen({ of, ...next })
    }
    api.team.previewInvite({ body: { invite_id: secret } }).then(
      ({ data }) => tell({ invite: data, state: 'there' }),
      error => {
        const state = verdictOf(error)
        if (state === 'failed' && !stale) handleFailure(error)
        tell({ invite: null, state })
      },
    )
    return () => {
      stale = true
    }
  }, [secret, of])

  const now = seen?.of === of ? seen : null
  return {
    invite: now?.invite ?? null,
    state: now?.state ?? null,
    again: () => setRound(round + 1),
    /** For calls that use the invite: true when it has expired since it was loaded. */
    diedBy(error: unknown): boolean {
      const died = error instanceof ApiError && error.code === 'invite_expired'
      if (died) setSeen({ of, invite: null, state: 'gone' })
      return died
    },
    /** Loaded again, so the pressed button is gone. */
    anew: round > 0 || (before && !present),
  }
}

/** Other errors say nothing about the invite. Only the signed-in user who used it gets `invite_used`. */
function verdictOf(error: unknown): 'used' | 'gone' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.code === 'invite_used') return 'used'
  return error.status === 422 ? 'gone' : 'failed'
}
