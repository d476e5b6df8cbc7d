import { useEffect, useRef } from 'react'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { dropLinkToken, linkToken } from '../../lib/link-token.ts'
import { navigate } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { completeSignIn } from '../../lib/session/complete-sign-in.ts'
import { Spinner } from '../../ui/base/Spinner.tsx'

/** Support opens the account of a user who allows it. Whatever goes wrong shows the 404 page and says nothing. */
export function ImpersonateScreen() {
  const t = useT()
  const begun = useRef(false)
  // The link is used by being here, once: only the master it was made for, signed in here, gets anything from it.
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    void begin()
  }, [])
  return (
    <div className="row center gap-2" role="status">
      <Spinner size={20} />
      {t('auth.impersonate.title')}
    </div>
  )
}

/** Whether a link was used in this document. */
let used = false

async function begin(): Promise<void> {
  const token = linkToken(paths.impersonate)
  dropLinkToken(paths.impersonate)
  // With the session the frame around the screen changes and may mount it anew, on the way to where the link leads.
  if (!token && used) return
  try {
    if (!token) return navigate(paths.notFoundToo, { replace: true })
    used = true
    const { data } = await api.impersonation.begin({ body: { token } })
    await completeSignIn(data, paths.dashboard)
  } catch (error) {
    // A refusal is an answer; anything else is for the log.
    used = false
    if (!(error instanceof ApiError)) console.error(error)
    navigate(paths.notFoundToo, { replace: true })
  }
}
