import { limits } from '@plinth/contract/patterns'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { mayFocusField } from '../../../lib/focus-first.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { email } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { session } from '../../../lib/session/store.ts'
import { TextLink } from '../../../ui/base/Link.tsx'
import { AuthHeader, Or } from '../../../ui/layout/AuthLayout.tsx'
import { nameInputs, newPasswordInputs } from '../../sign-in/person-inputs.ts'
import { replaceSession } from '../../sign-in/replace-session.ts'
import { SignedInNotice } from '../../sign-in/SignedInNotice.tsx'
import { SocialButtons } from '../../sign-in/social/SocialButtons.tsx'
import { useProviders } from '../../sign-in/social/use-providers.ts'

export function SignUpScreen() {
  const t = useT()
  const [autoFocus] = useState(mayFocusField)
  const providers = useProviders()
  return (
    <>
      <AuthHeader title={t('auth.sign_up.title')}>
        {t('auth.sign_up.already')} <TextLink href={paths.login}>{t('auth.sign_up.sign_in')}</TextLink>
      </AuthHeader>
      <SignedInNotice>{t('auth.sign_up.replaces')}</SignedInNotice>
      <Form
        large
        keep="sign-up"
        inputs={{
          ...nameInputs(t, autoFocus),
          email: email({
            label: t('auth.work_email'),
            required: true,
            maxLength: limits.email,
            autoComplete: 'username',
          }),
          ...newPasswordInputs(t),
        }}
        call={api.accounts.signUp}
        buttonText={t('auth.sign_up.button')}
        callback={user => replaceSession(user, session.get() !== null)}
      />
      {providers && providers.length > 0 && (
        <>
          <Or>{t('global.or')}</Or>
          <SocialButtons providers={providers} />
        </>
      )}
    </>
  )
}
