import type { Contract, Reply } from '@plinth/contract'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { useSession } from '../../lib/session/store.ts'

export type Invite = Reply<Contract['team']['look']>
type Seen = { of: string; invite: Invite | null; state: 'there' | 'gone' | 'failed' }

/** What the invite of a link is to, and how who looks at it stands to it. */
export function useInvite(secret: string) {
  // Who is signed in decides what is shown, so a sign-out asks anew. A new session does not: that is the invite
  // accepted, which is gone with that, and the page is on its way elsewhere.
  const present = useSession() !== null
  const [signedIn, setSignedIn] = useState(present)
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
    api.team.look({ body: { invite_id: secret } }).then(
      ({ data }) => tell({ invite: data, state: 'there' }),
      error => {
        const gone = error instanceof ApiError && error.status === 422
        if (!gone && !stale) handleFailure(error)
        tell({ invite: null, state: gone ? 'gone' : 'failed' })
      },
    )
    return () => {
      stale = true
    }
  }, [secret, of])

  const now = seen?.of === of ? seen : null
  return { invite: now?.invite ?? null, state: now?.state ?? null, again: () => setRound(round + 1) }
}
