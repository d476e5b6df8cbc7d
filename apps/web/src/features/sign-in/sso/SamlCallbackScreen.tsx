import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths, samlStart } from '../../../lib/paths.ts'
import { session } from '../../../lib/session/store.ts'
import { ProviderReturn } from '../ProviderReturn.tsx'
import { replaceSession } from '../replace-session.ts'
import { openUrl } from '../social/open-url.ts'

/** The page after the identity provider's: its token signs in once. */
export function SamlCallbackScreen() {
  const t = useT()
  const [denied] = useState(readDenial)
  return (
    <ProviderReturn
      screen={paths.samlCallback}
      redeem={signInWithToken}
      refused={
        denied && {
          reason: t('sso.callback.denied'),
          again: t('global.retry'),
          onAgain: () => openUrl(samlStart(denied)),
        }
      }
      texts={{
        title: t('sso.callback.title'),
        verifying: t('sso.callback.verifying'),
        present: name => t('sso.callback.present', { name }),
        replace: t('sso.callback.replace'),
        failed: t('sso.callback.failed'),
        back: t('sso.callback.back'),
      }}
    />
  )
}

/** The connection whose provider refused the sign-in. */
function readDenial(): { connection: string } | undefined {
  const query = new URLSearchParams(window.location.search)
  const connection = query.get('connection') ?? ''
  return query.get('error') === 'denied' && /^[0-9a-f-]{36}$/.test(connection) ? { connection } : undefined
}

async function signInWithToken(token: string): Promise<void> {
  const { data } = await api.sso.finish({ body: { token } })
  // Another user may be signed in here: their drafts must not pass to this one.
  await replaceSession(data, session.get() !== null)
}
