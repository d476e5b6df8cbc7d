import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { dropLinkToken } from '../../../lib/link-token.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/store.ts'
import { Button, ButtonLink } from '../../../ui/base/Button.tsx'
import { AuthHeader } from '../../../ui/layout/AuthLayout.tsx'
import { toast } from '../../../ui/overlay/toast.ts'
import { AlreadySignedIn } from '../AlreadySignedIn.tsx'
import { FailureHeader } from '../FailureHeader.tsx'
import { FocusedTitle } from '../FocusedTitle.tsx'
import { LinkSpinner, LinkUnanswered } from '../mailed-link/LinkStates.tsx'
import { isLinkExpired, useMailedLink } from '../mailed-link/use-mailed-link.ts'
import { replaceSession } from '../replace-session.ts'

/** The mailed link opens this screen. It shows the address; a click signs in. */
export function MagicLinkScreen() {
  const t = useT()
  const user = useSession()
  const link = useMailedLink('magic')
  const [verifying, setVerifying] = useState(false)
  const [tried, setTried] = useState(false)

  async function signIn(email: string, otherUser: boolean): Promise<void> {
    setVerifying(true)
    setTried(true)
    try {
      const { data, message } = await api.auth.verifyMagicLink({ body: { token: link.token } })
      dropLinkToken(paths.magic)
      if (message) toast({ variant: 'info', title: message })
      await replaceSession(data, otherUser, email)
    } catch (error) {
      setVerifying(false)
      if (isLinkExpired(error)) link.invalidate()
      else handleFailure(error)
    }
  }

  if (verifying) return <LinkSpinner title={t('auth.magic.verifying')} />
  switch (link.state.name) {
    case 'checking':
      return <LinkSpinner title={t('auth.link.looking')} />
    case 'unanswered':
      return <LinkUnanswered onRetry={link.retry} />
    case 'invalid':
      return <Invalid />
    case 'ready': {
      const { email, other_user } = link.state.info
      const again = tried || link.again
      return other_user ? (
        <AlreadySignedIn
          screen={paths.magic}
          again={again}
          text={t('auth.magic.present', { name: user?.name ?? '', email })}
          replace={t('auth.magic.instead_button')}
          onReplace={() => signIn(email, true)}
        />
      ) : (
        <>
          <AuthHeader title={<FocusedTitle when={again}>{t('auth.magic.title')}</FocusedTitle>}>
            {t('auth.magic.as', { email })}
          </AuthHeader>
          <Button variant="primary" size="lg" block onClick={() => signIn(email, false)}>
            {t('auth.magic.button')}
          </Button>
        </>
      )
    }
  }
}

function Invalid() {
  const t = useT()
  return (
    <>
      <FailureHeader title={t('auth.magic.invalid')}>{t('auth.link.dead')}</FailureHeader>
      <ButtonLink variant="primary" size="lg" block href={paths.login}>
        {t('auth.link.to_sign_in')}
      </ButtonLink>
    </>
  )
}
