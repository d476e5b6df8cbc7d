import { useEffect, useRef } from 'react'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { dropLinkToken, linkToken } from '../../lib/link-token.ts'
import { navigate } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { completeSignIn } from '../../lib/session/complete-sign-in.ts'
import { Spinner } from '../../ui/base/Spinner.tsx'

/** Support opens the account of a user who allows it. Every failure shows the 404 page without a reason. */
export function ImpersonateScreen() {
  const t = useT()
  const started = useRef(false)
  // Redeems the link once, on arrival. The server accepts it only from the signed-in master it was made for.
  useEffect(() => {
    if (started.current) return
    started.current = true
    void redeemLink()
  }, [])
  return (
    <div className="row center gap-2" role="status">
      <Spinner size={20} />
      {t('auth.impersonate.title')}
    </div>
  )
}

/** Whether this page load has redeemed a link. */
let used = false

async function redeemLink(): Promise<void> {
  const token = linkToken(paths.impersonate)
  dropLinkToken(paths.impersonate)
  // The new session can remount this screen before the navigation ends.
  if (!token && used) return
  try {
    if (!token) return navigate(paths.notFoundToo, { replace: true })
    used = true
    const { data } = await api.impersonation.begin({ body: { token } })
    await completeSignIn(data, paths.dashboard)
  } catch (error) {
    // Refusals are expected; other errors are logged.
    used = false
    if (!(error instanceof ApiError)) console.error(error)
    navigate(paths.notFoundToo, { replace: true })
  }
}
