import type { SignInReply } from '@plinth/contract'
import { redirectFor } from '@plinth/contract/access'
import KeyRound from 'lucide-react/icons/key-round'
import { useId, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import type { ApiError } from '../../../lib/api/error.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { text } from '../../../lib/form/inputs.tsx'
import type { Input } from '../../../lib/form/types.ts'
import { t, useT } from '../../../lib/i18n/translate.ts'
import { code } from '../../../lib/inputs/code.tsx'
import { dropLinkToken, linkOwner, linkToken } from '../../../lib/link-token.ts'
import { navigate } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { backupSpent } from '../../../lib/session/backup-spent.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import { TextLink } from '../../../ui/base/Link.tsx'
import { TextSpan } from '../../../ui/base/TextSpan.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { submitForm } from './submit-form.ts'

/** The second step of a sign-in: a code from the app, or the backup code. */
export function OtpScreen() {
  const t = useT()
  // Read once: a successful sign-in drops the token before this screen unmounts.
  const [jwt] = useState(() => linkToken(paths.otp))
  const [email] = useState(() => linkOwner(paths.otp))
  const [backup, setBackup] = useState(false)
  if (!jwt) return <NoChallenge />
  return (
    <>
      <AuthHeader title={t('two_factor.otp.title')}>
        <TextSpan>{backup ? t('two_factor.otp.backup_text') : t('two_factor.otp.text')}</TextSpan>
        {email && <span className="block mt-2 wrap-anywhere">{t('two_factor.otp.as', { email })}</span>}
      </AuthHeader>
      {/* Two separate forms, so that no value passes from one to the other. */}
      <CodeForm key={String(backup)} jwt={jwt} backup={backup} onSwitch={() => setBackup(!backup)} />
      <hr className="rule" />
      <p className="t13 ink2 center">
        {t('two_factor.otp.not_you')}{' '}
        <TextLink href={paths.login} onClick={() => dropLinkToken(paths.otp)}>
          {t('two_factor.otp.to_sign_in')}
        </TextLink>
      </p>
    </>
  )
}

type Props = { jwt: string; backup: boolean; onSwitch: () => void }

function CodeForm({ jwt, backup, onSwitch }: Props) {
  const t = useT()
  const id = useId()
  const appCode = (): Input =>
    code({
      label: t('two_factor.otp.code'),
      help: t('two_factor.otp.code_help'),
      required: true,
      autoFocus: true,
      onComplete: () => submitForm(id),
    })
  const backupCode = (): Input => ({
    ...text({ label: t('two_factor.otp.backup'), required: true, autoFocus: true, autoComplete: 'off' }),
    secret: true,
  })
  return (
    <Form
      id={id}
      large
      inputs={{ code: backup ? backupCode() : appCode() }}
      extra={{ jwt }}
      call={async (input: { body: { code: string; jwt: string } }) => {
        const { data, message } = await api.twoFactor.signIn(input)
        // A message means that the backup code was used: the field also accepts a code from the app.
        if (message) announceUsedCode(data)
        return { data, message: undefined }
      }}
      buttonText={t('two_factor.otp.button')}
      onError={startAgain}
      callback={user => {
        dropLinkToken(paths.otp)
        return completeSignIn(user)
      }}
      actions={
        <Button variant="ghost" size="lg" block icon={<Icon of={KeyRound} />} onClick={onSwitch}>
          {backup ? t('two_factor.otp.use_app') : t('two_factor.otp.use_backup')}
        </Button>
      }
    />
  )
}

/** Reports the used backup code: by a banner in the app, by a toast on screens before the app. */
function announceUsedCode(user: SignInReply): void {
  backupSpent.set(true)
  const open = !('2fa_required' in user) && !redirectFor(user, paths.twoFactor, 'user')
  if (!open) toast({ title: t('two_factor.backup_used'), description: t('two_factor.backup_used_text') })
}

/** An expired challenge accepts no code. Goes back to the first step with the reason. */
function startAgain({ code: refusal, message }: ApiError): boolean {
  if (refusal !== 'challenge_expired') return false
  dropLinkToken(paths.otp)
  navigate(paths.login, { replace: true })
  toast({ variant: 'error', title: message })
  return true
}

function NoChallenge() {
  const t = useT()
  return (
    <>
      <AuthHeader title={t('two_factor.otp.title')} />
      <Alert tone="danger" title={t('two_factor.otp.missing')} announce="alert">
        {t('two_factor.otp.missing_text')}
      </Alert>
      <ButtonLink variant="primary" size="lg" block href={paths.login}>
        {t('two_factor.otp.back')}
      </ButtonLink>
    </>
  )
}
