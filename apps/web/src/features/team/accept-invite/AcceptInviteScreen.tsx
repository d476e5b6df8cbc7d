import { landingPath } from '@plinth/contract/access'
import { api } from '../../../lib/api/client.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { Form } from '../../../lib/form/Form.tsx'
import { email } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { navigate, useQueryValue } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'
import { rememberReturnTo } from '../../../lib/session/return-to.ts'
import { leave, session, useSession } from '../../../lib/session/store.ts'
import { takeFocus } from '../../../lib/take-focus.ts'
import { forgetDark } from '../../../lib/theme.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { TextLink } from '../../../ui/base/Link.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { FailureHeader } from '../../sign-in/FailureHeader.tsx'
import { FocusedTitle } from '../../sign-in/FocusedTitle.tsx'
import { nameInputs, newPasswordInputs } from '../../sign-in/person-inputs.ts'
import { useTypedAddress } from '../../sign-in/use-typed-address.ts'
import { JoinButton } from './JoinButton.tsx'
import { type Invite, useInvite } from './use-invite.ts'

/** Accepts an invite as a new user, as the signed-in user, or after a sign-in. */
export function AcceptInviteScreen() {
  const secret = useQueryValue('id')
  return secret ? <InviteDetails secret={secret} /> : <NoInvite title="missing" />
}

function InviteDetails({ secret }: { secret: string }) {
  const t = useT()
  const { invite, state, retry, handleExpired, reloaded } = useInvite(secret)
  const titled = (title: string) => <FocusedTitle when={reloaded}>{title}</FocusedTitle>
  if (state === 'used') return <InviteUsed />
  if (state === 'gone') return <NoInvite title="gone" />
  if (state === 'failed')
    return (
      <>
        <FailureHeader title={t('links.invite.failed')}>{t('links.invite.failed_text')}</FailureHeader>
        <Button size="lg" block onClick={retry}>
          {t('global.retry')}
        </Button>
      </>
    )
  if (!invite)
    return (
      <>
        <AuthHeader title={t('links.invite.title')}>{null}</AuthHeader>
        <Loading label={t('global.loading')}>
          <div className="stack">
            <Skeleton height="40px" />
            <Skeleton height="40px" />
          </div>
        </Loading>
      </>
    )
  const { account_name: account, inviter, permission, signed_in, has_user } = invite
  return (
    <>
      <AuthHeader title={titled(t('links.invite.join', { account }))}>
        {inviter
          ? t('links.invite.from', { inviter, role: permission })
          : t('links.invite.as', { role: permission })}
      </AuthHeader>
      {signed_in === 'as_invited' && <Join {...{ secret, invite }} onError={handleExpired} />}
      {signed_in === 'as_other' && <OtherUserSignedIn invite={invite} />}
      {signed_in === 'no' &&
        (has_user ? (
          <SignInFirst email={invite.email} />
        ) : (
          <SignUpWithInvite {...{ secret, invite }} onError={handleExpired} />
        ))}
    </>
  )
}

/** The link does not work, and the server says nothing more about its invite. */
function NoInvite({ title }: { title: 'missing' | 'gone' }) {
  const t = useT()
  const user = useSession()
  return (
    <>
      <FailureHeader title={t(`links.invite.${title}`)}>
        {t(title === 'gone' && user ? 'links.invite.gone_here' : `links.invite.${title}_text`)}
      </FailureHeader>
      {user ? (
        <DashboardLink />
      ) : (
        <p className="ink2">
          {t('links.invite.already')} <TextLink href={paths.login}>{t('auth.sign_up.sign_in')}</TextLink>
        </p>
      )}
    </>
  )
}

/** The signed-in user has used the invite already, so there is nothing left to do. */
function InviteUsed() {
  const t = useT()
  return (
    <>
      <AuthHeader title={t('links.invite.title')} />
      <Alert tone="info" title={t('links.invite.used')} ref={takeFocus}>
        {t('links.invite.used_text')}
      </Alert>
      <DashboardLink />
    </>
  )
}

function DashboardLink() {
  const t = useT()
  return (
    <ButtonLink variant="primary" size="lg" block href={paths.dashboard}>
      {t('global.not_found.button')}
    </ButtonLink>
  )
}

type JoinProps = { secret: string; invite: Invite; onError: (error: unknown) => boolean }

/** The invite was mailed to the address, so joining also verifies it. */
function Join({ secret, invite, onError }: JoinProps) {
  const t = useT()
  const user = useSession()
  return (
    <>
      {user && !user.verified && (
        <p className="ink2 wrap-anywhere">{t('links.invite.verifies', { email: invite.email })}</p>
      )}
      <JoinButton {...{ secret, onError }} account={invite.account_name} />
    </>
  )
}

/** The sign-in leads back here, with the address filled in. */
function SignInFirst({ email: address }: { email: string }) {
  const t = useT()
  const [, keepAddress] = useTypedAddress()

  function signIn(): void {
    keepAddress(address)
    rememberReturnTo(null)
    navigate(paths.login)
  }

  return (
    <>
      <p className="ink2 wrap-anywhere">{t('links.invite.sign_in', { email: address })}</p>
      <Button variant="primary" size="lg" block onClick={signIn}>
        {t('links.invite.sign_in_button')}
      </Button>
    </>
  )
}

/** The invite is for another user than the signed-in one, who is not signed out without a click. */
function OtherUserSignedIn({ invite }: { invite: Invite }) {
  const t = useT()
  const user = useSession()

  async function signOutHere(): Promise<void> {
    const token = session.get()?.token
    // Signs out before the local data is cleared: the answer clears the browser's storage.
    const done = token ? await attempt(api.auth.signOut({ token })) : {}
    if (!done) return
    leave()
    forgetDark()
  }

  return (
    <>
      <p className="ink2 wrap-anywhere">
        {t('links.invite.other', { email: invite.email, name: user?.name ?? '' })}
      </p>
      <div className="stack stack-2">
        {user && (
          <ButtonLink variant="primary" size="lg" block href={landingPath(user)}>
            {t('auth.present.stay')}
          </ButtonLink>
        )}
        <Button size="lg" block onClick={signOutHere}>
          {t('links.invite.other_button')}
        </Button>
      </div>
    </>
  )
}

/** A new user signs up with the invited address, because the link proves that address. */
function SignUpWithInvite({ secret, invite, onError }: JoinProps) {
  const t = useT()
  const names = nameInputs(t)
  return (
    <Form
      large
      keep="accept-invite"
      inputs={{
        first_name: { ...names.first_name, value: invite.first_name },
        last_name: { ...names.last_name, value: invite.last_name },
        email: email({
          label: t('auth.email'),
          help: t('links.invite.email_help'),
          value: invite.email,
          readOnly: true,
          autoComplete: 'username',
        }),
        ...newPasswordInputs(t),
      }}
      extra={{ invite_id: secret, email: invite.email }}
      call={api.accounts.acceptInvite}
      buttonText={t('links.invite.button')}
      callback={user => completeSignIn(user)}
      onError={onError}
    />
  )
}
