import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n/translate.ts'
import { signOut } from '../../lib/session/sign-out.ts'
import { Slot } from '../../lib/slots.tsx'

/** Sign-out link under the card of an unfinished sign-up, for users who want another account. */
export function SignOutLine({ children }: { children?: ReactNode }) {
  const t = useT()
  return (
    <Slot name="after">
      {children}{' '}
      <button type="button" className="link" onClick={signOut}>
        {t('global.sign_out')}
      </button>
    </Slot>
  )
}
