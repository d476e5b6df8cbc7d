import { landingPath } from '@plinth/contract/access'
import { type ReactNode, useState } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { session, useSession } from '../../lib/session/store.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { ButtonLink } from '../../ui/base/Button.tsx'

/** On forms for visitors: names the signed-in user and links back. */
export function SignedInNotice({ children }: { children?: ReactNode }) {
  const t = useT()
  // Ignores a session that this form has just opened.
  const [before] = useState(() => session.get()?.token)
  const user = useSession()
  if (!user || user.token !== before) return null
  return (
    <Alert
      title={t('auth.present.as', { name: user.name })}
      action={
        <ButtonLink size="sm" href={landingPath(user)}>
          {t('auth.present.stay')}
        </ButtonLink>
      }
    >
      {children}
    </Alert>
  )
}
