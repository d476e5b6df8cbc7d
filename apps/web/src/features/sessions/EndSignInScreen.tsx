import { useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { dropLinkToken, linkToken } from '../../lib/link-token.ts'
import { paths } from '../../lib/paths.ts'
import { checkSession } from '../../lib/session/check.ts'
import { takeFocus } from '../../lib/take-focus.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { AuthHeader } from '../../ui/layout/AuthLayout.tsx'
import { FailureHeader } from '../sign-in/FailureHeader.tsx'

type State = 'link' | 'ending' | 'ended' | 'invalid'

/** The mail about a new device links here. A click ends every session of the user. */
export function EndSignInScreen() {
  const t = useT()
  const [state, setState] = useState<State>(() => (linkToken(paths.endSignIn) ? 'link' : 'invalid'))

  async function endSessions(): Promise<void> {
    const token = linkToken(paths.endSignIn)
    if (!token) return setState('invalid')
    setState('ending')
    try {
      await api.sessions.endByLink({ body: { token } })
      dropLinkToken(paths.endSignIn)
      setState('ended')
      // This browser's session has ended too if it belongs to the same user.
      await checkSession('knows')
    } catch (error) {
      const isExpired = error instanceof ApiError && error.code === 'link_expired'
      if (isExpired) dropLinkToken(paths.endSignIn)
      else handleFailure(error)
      setState(isExpired ? 'invalid' : 'link')
    }
  }

  if (state === 'ended')
    return (
      <>
        <AuthHeader title={t('links.end_sign_in.title')} />
        <Alert tone="success" title={t('links.end_sign_in.ended')} announce="status" ref={takeFocus}>
          {t('links.end_sign_in.ended_text')}
        </Alert>
        <ButtonLink variant="primary" size="lg" block href={paths.forgotPassword}>
          {t('links.end_sign_in.new_password')}
        </ButtonLink>
      </>
    )
  if (state === 'invalid')
    return (
      <>
        <FailureHeader title={t('links.end_sign_in.dead')}>{t('links.end_sign_in.dead_text')}</FailureHeader>
        <ButtonLink variant="primary" size="lg" block href={paths.profile}>
          {t('links.end_sign_in.devices')}
        </ButtonLink>
      </>
    )
  return (
    <>
      <AuthHeader title={t('links.end_sign_in.title')}>{t('links.end_sign_in.text')}</AuthHeader>
      <Button variant="primary" size="lg" block loading={state === 'ending'} onClick={endSessions}>
        {t('links.end_sign_in.button')}
      </Button>
    </>
  )
}
