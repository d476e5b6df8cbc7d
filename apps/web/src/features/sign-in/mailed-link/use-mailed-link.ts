import type { Contract, Reply } from '@plinth/contract'
import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { dropLinkToken, linkToken } from '../../../lib/link-token.ts'
import { paths } from '../../../lib/paths.ts'

type Purpose = 'magic' | 'reset'
const screens = { magic: paths.magic, reset: paths.resetPassword } as const

/** The address of the link; `other_user`: another user is signed in here. */
type LinkInfo = Reply<Contract['auth']['lookAtLink']>

/** `unanswered`: the server did not answer; `ready`: the link works; `invalid`: expired or used. */
export type LinkState =
  | { name: 'checking' | 'unanswered' | 'invalid'; info?: undefined }
  | { name: 'ready'; info: LinkInfo }

/** The mailed link that opened this screen. Checking the link does not use it up; a click does. */
export function useMailedLink(purpose: Purpose) {
  const screen = screens[purpose]
  const [token] = useState(() => linkToken(screen))
  const [tries, setTries] = useState(0)
  const [state, setState] = useState<LinkState>({ name: token ? 'checking' : 'invalid' })

  function invalidate(): void {
    dropLinkToken(screen)
    setState({ name: 'invalid' })
  }

  // Ignores the answer of an earlier try.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` starts another try
  useEffect(() => {
    let current = true
    if (token)
      api.auth
        .lookAtLink({ body: { token, purpose } })
        .then(({ data }) => current && setState({ name: 'ready', info: data }))
        .catch(error => {
          if (!current) return
          if (isLinkExpired(error)) return invalidate()
          setState({ name: 'unanswered' })
          handleFailure(error)
        })
    return () => {
      current = false
    }
  }, [token, purpose, tries])

  return {
    token: token ?? '',
    state,
    /** The link was checked more than once. */
    again: tries > 0,
    invalidate,
    retry() {
      setState({ name: 'checking' })
      setTries(tries + 1)
    },
  }
}

/** Other errors say nothing about the link, so the user can try it again. */
export const isLinkExpired = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'link_expired'
