import { landingPath } from '@plinth/contract/access'
import { useT } from '../../lib/i18n/translate.ts'
import { dropLinkToken, type LinkScreen } from '../../lib/link-token.ts'
import { navigate } from '../../lib/navigate.ts'
import { paths } from '../../lib/paths.ts'
import { session } from '../../lib/session/store.ts'
import { Button } from '../../ui/base/Button.tsx'
import { AuthHeader } from '../../ui/layout/AuthLayout.tsx'
import { FocusedTitle } from './FocusedTitle.tsx'

type Props = {
  /** The screen whose link token is dropped when the user stays. */
  screen: LinkScreen
  /** Names the signed-in user, and what continuing does to their session. */
  text: string
  replace: string
  onReplace: () => unknown
  /** Shown for the second time: the pressed button is gone, so the title takes the focus. */
  again?: boolean
}

/**
 * A link must not replace the session of another user without a click. The primary button keeps that session.
 */
export function AlreadySignedIn({ screen, text, replace, onReplace, again = false }: Props) {
  const t = useT()

  function keepCurrentSession(): void {
    const user = session.get()
    dropLinkToken(screen)
    navigate(user ? landingPath(user) : paths.login, { replace: true })
  }

  return (
    <>
      <AuthHeader title={<FocusedTitle when={again}>{t('auth.present.title')}</FocusedTitle>}>
        {text}
      </AuthHeader>
      <div className="stack stack-2">
        <Button variant="primary" size="lg" block onClick={keepCurrentSession}>
          {t('auth.present.stay')}
        </Button>
        <Button size="lg" block onClick={onReplace}>
          {replace}
        </Button>
      </div>
    </>
  )
}
