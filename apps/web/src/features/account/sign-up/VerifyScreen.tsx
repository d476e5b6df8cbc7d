import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { paths } from '../../../lib/paths.ts'
import { useSignedIn } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { Loading, Skeleton } from '../../../ui/base/Skeleton.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { FailureHeader } from '../../sign-in/FailureHeader.tsx'
import { InboxHint } from '../../sign-in/mailed-link/InboxHint.tsx'
import { ResendButton } from '../../sign-in/mailed-link/ResendButton.tsx'
import { SignOutLine } from '../../sign-in/SignOutLine.tsx'
import { ConfirmNewEmail } from '../email-change/ConfirmNewEmail.tsx'
import { ChoosePassword } from './ChoosePassword.tsx'
import { useLeaveWhenVerified, useVerification } from './use-verification.ts'

/** Verifies the address: the mailed link opens this screen, and a click uses the link. */
export function VerifyScreen() {
  const t = useT()
  const { verified, email_pending, plan, accounts, account_id } = useSignedIn()
  const { state, confirm, sentAgain, expire } = useVerification(verified ? paths.profile : undefined)
  useLeaveWhenVerified()
  // A user created by an administrator belongs to an account that has a plan.
  const account = plan && (accounts.find(({ id }) => id === account_id) ?? accounts[0])?.name
  // Unknown until the profile has loaded. The link may be used already, so its button is not shown yet.
  if (verified && email_pending === undefined) return <VerifySkeleton />
  if (verified)
    return (
      <ConfirmNewEmail state={state === 'password' ? 'link' : state} confirm={confirm} onSent={sentAgain}>
        <InboxHint />
      </ConfirmNewEmail>
    )
  return (
    <>
      {state === 'expired' ? (
        <FailureHeader title={t('auth.verify.expired')}>{t('auth.verify.expired_text')}</FailureHeader>
      ) : (
        <AuthHeader title={t('auth.verify.title')}>
          {state === 'password'
            ? null
            : account
              ? t('auth.verify.text_member', { account })
              : t('auth.verify.text')}
        </AuthHeader>
      )}
      {state === 'password' ? (
        <ChoosePassword onExpired={expire} />
      ) : state === 'link' || state === 'verifying' ? (
        <>
          <p className="ink2">{t('auth.verify.confirm')}</p>
          <Button variant="primary" size="lg" block loading={state === 'verifying'} onClick={confirm}>
            {t('auth.verify.confirm_button')}
          </Button>
        </>
      ) : (
        <CheckInbox expired={state === 'expired'} onSent={sentAgain} />
      )}
      <SignOutLine />
    </>
  )
}

function VerifySkeleton() {
  const t = useT()
  return (
    <>
      <AuthHeader title={t('links.new_address.title')}>{null}</AuthHeader>
      <Loading label={t('global.loading')}>
        <div className="stack">
          <Skeleton height="40px" />
          <Skeleton height="40px" />
        </div>
      </Loading>
    </>
  )
}

function CheckInbox({ expired, onSent }: { expired: boolean; onSent: () => void }) {
  const t = useT()
  const [again, setAgain] = useState(false)
  const email = useApi(api.profile.read).data?.email

  return (
    <>
      {!expired && (
        <Alert tone="info" title={t('auth.verify.inbox')} announce={again ? 'status' : undefined}>
          {email ? t('links.verify.sent_to', { email }) : t('links.verify.sent')}
        </Alert>
      )}
      <div className="stack stack-2">
        <ResendButton
          onSent={() => {
            setAgain(true)
            onSent()
          }}
        />
        <ButtonLink size="lg" block href={paths.profile}>
          {t('auth.verify.change')}
        </ButtonLink>
      </div>
      <hr className="rule" />
      <InboxHint />
    </>
  )
}
