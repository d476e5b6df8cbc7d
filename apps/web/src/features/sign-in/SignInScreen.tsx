import { useEffect } from 'react'
import { api } from '../../lib/api/client.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { linkToken } from '../../lib/link-token.ts'
import { paths } from '../../lib/paths.ts'
import { TextLink } from '../../ui/base/Link.tsx'
import { AuthHeader } from '../../ui/layout/AuthLayout.tsx'
import { SignInForm } from './SignInForm.tsx'
import { showSignInError } from './sign-in-error.ts'
import { signInMethods } from './sign-in-methods.ts'
import { useProviders } from './social/use-providers.ts'

export function SignInScreen() {
  const t = useT()
  // Shows the error in the URL once, and removes it.
  useEffect(showSignInError, [])
  return (
    <>
      <AuthHeader title={t('auth.sign_in.title')}>
        {linkToken(paths.verify) && (
          <>
            <span>{t('auth.sign_in.to_verify')}</span>{' '}
          </>
        )}
        {t('auth.sign_in.new_here')} <TextLink href={paths.signUp}>{t('auth.sign_in.sign_up')}</TextLink>
      </AuthHeader>
      <SignInForm signInMethods={{ ...signInMethods, social: useProviders() }} signIn={api.auth.signIn} />
    </>
  )
}
