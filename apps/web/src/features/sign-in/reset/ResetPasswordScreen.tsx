import { api } from '../../../lib/api/client.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { email as emailInput } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { dropLinkToken } from '../../../lib/link-token.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { ButtonLink } from '../../../ui/base/Button.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { FailureHeader } from '../FailureHeader.tsx'
import { FocusedTitle } from '../FocusedTitle.tsx'
import { LinkSpinner, LinkUnanswered } from '../mailed-link/LinkStates.tsx'
import { isLinkExpired, useMailedLink } from '../mailed-link/use-mailed-link.ts'
import { newPasswordInputs } from '../person-inputs.ts'
import { replaceSession } from '../replace-session.ts'

/** Sets a new password by a mailed link, and signs in. */
export function ResetPasswordScreen() {
  const t = useT()
  const link = useMailedLink('reset')
  switch (link.state.name) {
    case 'checking':
      return <LinkSpinner title={t('auth.link.looking')} />
    case 'unanswered':
      return <LinkUnanswered onRetry={link.retry} />
    case 'invalid':
      return <Expired />
    case 'ready':
      return (
        <NewPassword token={link.token} {...link.state.info} again={link.again} onDead={link.invalidate} />
      )
  }
}

type Props = { token: string; email: string; other_user: boolean; again: boolean; onDead: () => void }

function NewPassword({ token, email, other_user, again, onDead }: Props) {
  const t = useT()
  const user = useSession()
  const inputs = newPasswordInputs(t)
  return (
    <>
      <AuthHeader title={<FocusedTitle when={again}>{t('auth.reset.title')}</FocusedTitle>}>
        {t('auth.reset.text')}
      </AuthHeader>
      {other_user && (
        <Alert tone="warning" title={t('auth.link.other_user', { name: user?.name ?? '' })}>
          {t('auth.reset.instead', { email })}
        </Alert>
      )}
      <Form
        large
        inputs={{
          // Shows whose password changes, and helps password managers.
          email: emailInput({
            label: t('auth.email'),
            value: email,
            readOnly: true,
            autoComplete: 'username',
          }),
          ...inputs,
          password: { ...inputs.password, label: t('auth.reset.password') },
        }}
        extra={{ jwt: token, email }}
        call={api.auth.resetPassword}
        buttonText={t('auth.reset.button')}
        callback={answer => {
          dropLinkToken(paths.resetPassword)
          return replaceSession(answer, other_user, email)
        }}
        onError={error => {
          if (!isLinkExpired(error)) return false
          onDead()
          return true
        }}
      />
    </>
  )
}

function Expired() {
  const t = useT()
  return (
    <>
      <FailureHeader title={t('auth.reset.expired')}>{t('auth.link.dead')}</FailureHeader>
      <div className="stack stack-2">
        <ButtonLink variant="primary" size="lg" block href={paths.forgotPassword}>
          {t('auth.reset.again')}
        </ButtonLink>
        <ButtonLink size="lg" block href={paths.login}>
          {t('auth.link.to_sign_in')}
        </ButtonLink>
      </div>
    </>
  )
}
