import { api } from '../../../lib/api/client.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { dropLinkToken, linkToken } from '../../../lib/link-token.ts'
import { paths } from '../../../lib/paths.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'
import { takeFocus } from '../../../lib/take-focus.ts'
import { newPasswordInputs } from '../../sign-in/person-inputs.ts'

/** An administrator set this user's password, so the user chooses a new one when verifying the address. */
export function ChoosePassword({ onExpired }: { onExpired: () => void }) {
  const t = useT()
  return (
    <>
      <p className="ink2 outline-none" tabIndex={-1} ref={takeFocus}>
        {t('auth.verify.own_password')}
      </p>
      <Form
        large
        inputs={newPasswordInputs(t)}
        extra={{ token: linkToken(paths.verify) ?? '' }}
        call={api.auth.verifyEmail}
        buttonText={t('auth.verify.own_password_button')}
        onError={error => {
          if (error.code !== 'link_expired') return false
          dropLinkToken(paths.verify)
          onExpired()
          return true
        }}
        callback={user => {
          dropLinkToken(paths.verify)
          return completeSignIn(user)
        }}
      />
    </>
  )
}
