import { api } from '../../lib/api/client.ts'
import { Form } from '../../lib/form/Form.tsx'
import { email } from '../../lib/form/inputs.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { useQueryValue } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { enter } from '../../lib/session/enter.ts'
import { Alert } from '../../ui/Alert.tsx'
import { AuthHeader } from '../../ui/Auth.tsx'
import { TextLink } from '../../ui/Link.tsx'
import { nameInputs, newPasswordInputs } from './person-inputs.ts'

/** A new person accepts an invite; the mailed link brings the address and the invite's secret. */
export function AcceptInviteScreen() {
  const t = useT()
  const invite = useQueryValue('id')
  return (
    <>
      <AuthHeader title={t('auth.invite.title')}>
        {t('auth.invite.already')} <TextLink href={paths.login}>{t('auth.sign_up.sign_in')}</TextLink>
      </AuthHeader>
      {invite ? (
        <>
          <p className="ink2">{t('auth.invite.text')}</p>
          <InviteForm invite={invite} />
        </>
      ) : (
        <Alert tone="warning" title={t('auth.invite.missing')}>
          {t('auth.invite.missing_text')}
        </Alert>
      )}
    </>
  )
}

function InviteForm({ invite }: { invite: string }) {
  const t = useT()
  const invited = useQueryValue('email') ?? ''
  return (
    <Form
      large
      keep="accept-invite"
      inputs={{
        ...nameInputs(t),
        email: email({
          label: t('auth.email'),
          help: t('auth.invite.email_help'),
          value: invited,
          required: true,
          autoComplete: 'username',
        }),
        ...newPasswordInputs(t),
      }}
      extra={{ invite_id: invite }}
      call={api.accounts.acceptInvite}
      buttonText={t('auth.invite.button')}
      callback={user => enter(user)}
    />
  )
}
