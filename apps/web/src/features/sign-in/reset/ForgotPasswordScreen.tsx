import { linkMinutes } from '@plinth/contract/patterns'
import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { mayFocusField } from '../../../lib/focus-first.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/base/Link.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { LinkRequest } from '../mailed-link/LinkRequest.tsx'
import { SignedInNotice } from '../SignedInNotice.tsx'
import { useTypedAddress } from '../use-typed-address.ts'

export function ForgotPasswordScreen() {
  const t = useT()
  const [autoFocus] = useState(mayFocusField)
  const [address, setAddress] = useTypedAddress()
  return (
    <>
      <AuthHeader title={t('auth.forgot.title')}>{t('auth.forgot.text')}</AuthHeader>
      <SignedInNotice />
      <LinkRequest
        send={api.auth.requestReset}
        buttonText={t('auth.forgot.button')}
        minutes={linkMinutes.reset}
        address={address}
        onAddress={setAddress}
        autoFocus={autoFocus}
      />
      <p className="t13 ink2 center">
        <TextLink href={paths.login}>{t('auth.link.to_sign_in')}</TextLink>
      </p>
    </>
  )
}
