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
type Told = Reply<Contract['auth']['lookAtLink']>

/**
 * looking: the server checks the link; silent: the server did not answer; ready: usable; dead: expired or
 * used.
 */
export type LinkState =
  | { name: 'looking' | 'silent' | 'dead'; told?: undefined }
  | { name: 'ready'; told: Told }

/** The mailed link that opened this screen. Checking the link does not use it up; a click does. */
export function useLink(purpose: Purpose) {
  const screen = screens[purpose]
  const [token] = useState(() => linkToken(screen))
  const [tries, setTries] = useState(0)
  const [state, setState] = useState<LinkState>({ name: token ? 'looking' : 'dead' })

  function die(): void {
    dropLinkToken(screen)
    setState({ name: 'dead' })
  }

  // Ignores the answer of an earlier try.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` starts another try
  useEffect(() => {
    let current = true
    if (token)
      api.auth
        .lookAtLink({ body: { token, purpose } })
        .then(({ data }) => current && setState({ name: 'ready', told: data }))
        .catch(error => {
          if (!current) return
          if (isVerdict(error)) return die()
          setState({ name: 'silent' })
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
    die,
    lookAgain() {
      setState({ name: 'looking' })
      setTries(tries + 1)
    },
  }
}

/** Other errors say nothing about the link, so the user can try it again. */
export const isVerdict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'link_expired'
