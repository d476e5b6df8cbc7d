import type { Contract, Reply } from '@plinth/contract'
import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { dropLinkToken, linkToken } from '../../../lib/link-token.ts'
import { paths } from '../../../lib/paths.ts'

type Purpose = 'magic' | 'reset'
const screens = { magic: paths.magic, reset: paths.resetPassword } as const

/** Whom the link is for; `other_user`: somebody else is signed in here. */
type Told = Reply<Contract['auth']['lookAtLink']>

/** looking: whom it is for; silent: no answer came, it can be asked again; ready: to be used; dead: of no use. */
export type LinkState =
  | { name: 'looking' | 'silent' | 'dead'; told?: undefined }
  | { name: 'ready'; told: Told }

/** The mailed link that opened this screen. Looking at it uses nothing up (T-04): that takes a click. */
export function useLink(purpose: Purpose) {
  const screen = screens[purpose]
  const [token] = useState(() => linkToken(screen))
  const [tries, setTries] = useState(0)
  const [state, setState] = useState<LinkState>({ name: token ? 'looking' : 'dead' })

  function die(): void {
    dropLinkToken(screen)
    setState({ name: 'dead' })
  }

  // The server is outside React; a look that is overtaken by another one says nothing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is what counts
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
    /** It was asked for more than once. */
    again: tries > 0,
    die,
    lookAgain() {
      setState({ name: 'looking' })
      setTries(tries + 1)
    },
  }
}

/** Only an answer about the link is a verdict on it; after anything else the same link can be tried again. */
export const isVerdict = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'link_expired'
