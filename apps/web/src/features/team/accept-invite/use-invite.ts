import type { Contract, Reply } from '@plinth/contract'
import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { useSession } from '../../../lib/session/store.ts'

export type Invite = Reply<Contract['team']['previewInvite']>
type Seen = { of: string; invite: Invite | null; state: 'there' | 'used' | 'gone' | 'failed' }

/** What the invite of a link is to, and how who looks at it stands to it. */
export function useInvite(secret: string) {
  // Who is signed in decides what is shown, so a sign-out asks anew. A new session does not: that is the invite
  // accepted, which is gone with that, and the page is on its way elsewhere.
  const present = useSession() !== null
  const [signedIn, setSignedIn] = useState(present)
  const [before] = useState(present)
  if (signedIn && !present) setSignedIn(false)
  const [round, setRound] = useState(0)
  const of = `${secret} ${signedIn} ${round}`
  const [seen, setSeen] = useState<Seen | null>(null)

  // A question to the server that is no reading: the secret goes in a body, and the answer is kept nowhere.
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
    /** For a call that uses it: true when it was there when it was looked at, and is not any more. */
    diedBy(error: unknown): boolean {
      const died = error instanceof ApiError && error.code === 'invite_expired'
      if (died) setSeen({ of, invite: null, state: 'gone' })
      return died
    },
    /** It was asked for once more: what was pressed for that has gone. */
    anew: round > 0 || (before && !present),
  }
}

/** Only an answer about the invite is a verdict on it. Whoever used it is told that, signed in. */
function verdictOf(error: unknown): 'used' | 'gone' | 'failed' {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.code === 'invite_used') return 'used'
  return error.status === 422 ? 'gone' : 'failed'
}
