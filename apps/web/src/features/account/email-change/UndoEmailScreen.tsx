import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { dropLinkToken, linkToken } from '../../../lib/link-token.ts'
import { paths } from '../../../lib/paths.ts'
import { checkSession } from '../../../lib/session/check.ts'
import { takeFocus } from '../../../lib/take-focus.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { FailureHeader } from '../../sign-in/FailureHeader.tsx'

type State = 'link' | 'undoing' | 'undone' | 'invalid'

/** The mail to the old address links here. A click restores that address. */
export function UndoEmailScreen() {
  const t = useT()
  const [state, setState] = useState<State>(() => (linkToken(paths.undoEmail) ? 'link' : 'invalid'))

  async function restoreAddress(): Promise<void> {
    const token = linkToken(paths.undoEmail)
    if (!token) return setState('invalid')
    setState('undoing')
    try {
      await api.profile.undoEmail({ body: { token } })
      dropLinkToken(paths.undoEmail)
      setState('undone')
      // The server has ended all sessions of the user, including this one.
      await checkSession('knows')
    } catch (error) {
      const isExpired = error instanceof ApiError && error.code === 'link_expired'
      if (isExpired) dropLinkToken(paths.undoEmail)
      else handleFailure(error)
      setState(isExpired ? 'invalid' : 'link')
    }
  }

  if (state === 'undone')
    return (
      <>
        <AuthHeader title={t('links.undo_email.title')} />
        <Alert tone="success" title={t('links.undo_email.undone')} announce="status" ref={takeFocus}>
          {t('links.undo_email.undone_text')}
        </Alert>
        <ButtonLink variant="primary" size="lg" block href={paths.forgotPassword}>
          {t('links.undo_email.new_password')}
        </ButtonLink>
      </>
    )
  if (state === 'invalid')
    return (
      <>
        <FailureHeader title={t('links.undo_email.dead')}>{t('links.undo_email.dead_text')}</FailureHeader>
        <ButtonLink size="lg" block href={paths.login}>
          {t('auth.link.to_sign_in')}
        </ButtonLink>
      </>
    )
  return (
    <>
      <AuthHeader title={t('links.undo_email.title')}>{t('links.undo_email.text')}</AuthHeader>
      <Button variant="primary" size="lg" block loading={state === 'undoing'} onClick={restoreAddress}>
        {t('links.undo_email.button')}
      </Button>
    </>
  )
}
