import type { ReactNode } from 'react'
import { api } from '../../../lib/api/client.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { putAnswer, useApi } from '../../../lib/data/query.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { navigate } from '../../../lib/navigate.ts'
import { paths } from '../../../lib/paths.ts'
import { mergeSession } from '../../../lib/session/store.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { TextLink } from '../../../ui/base/Link.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { FailureHeader } from '../../sign-in/FailureHeader.tsx'
import { ResendButton } from '../../sign-in/mailed-link/ResendButton.tsx'

type Props = {
  state: 'info' | 'link' | 'verifying' | 'expired'
  confirm: () => void
  onSent: () => void
  /** Hint where to find the mail. */
  children: ReactNode
}

/** For a verified user whose new address waits for confirmation. The user can also keep the old address. */
export function ConfirmNewEmail({ state, confirm, onSent, children }: Props) {
  const t = useT()
  const profile = useApi(api.profile.read).data
  const hasLink = state === 'link' || state === 'verifying'

  async function keepOldAddress(): Promise<void> {
    if (!profile) return
    const saved = await attempt(api.profile.update({ body: { email: profile.email } }))
    if (!saved) return
    putAnswer(api.profile.read, saved)
    navigate(paths.profile)
    mergeSession({ email_pending: false })
  }

  return (
    <>
      {state === 'expired' ? (
        <FailureHeader title={t('auth.verify.expired')}>{t('auth.verify.expired_text')}</FailureHeader>
      ) : (
        <AuthHeader title={t('links.new_address.title')}>
          {profile && t('links.new_address.text', { email: profile.email })}
        </AuthHeader>
      )}
      {hasLink && <p className="ink2">{t('links.new_address.confirm')}</p>}
      {state === 'info' && (
        <Alert tone="info" title={t('auth.verify.inbox')}>
          {profile?.pending_email && t('links.new_address.sent_to', { email: profile.pending_email })}
        </Alert>
      )}
      <div className="stack stack-2">
        {hasLink ? (
          <Button variant="primary" size="lg" block loading={state === 'verifying'} onClick={confirm}>
            {t('links.new_address.confirm_button')}
          </Button>
        ) : (
          <ResendButton onSent={onSent} />
        )}
        <Button size="lg" block onClick={keepOldAddress} disabled={!profile}>
          {t('links.new_address.keep')}
        </Button>
      </div>
      <hr className="rule" />
      {!hasLink && children}
      <p className="t13">
        <TextLink href={paths.profile}>{t('links.new_address.later')}</TextLink>
      </p>
    </>
  )
}
