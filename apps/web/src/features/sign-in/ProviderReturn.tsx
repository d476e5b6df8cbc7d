import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api/error.ts'
import { dropLinkToken, type LinkScreen, linkToken } from '../../lib/link-token.ts'
import { paths } from '../../lib/paths.ts'
import { session } from '../../lib/session/store.ts'
import { Button, ButtonLink } from '../../ui/base/Button.tsx'
import { Spinner } from '../../ui/base/Spinner.tsx'
import { AlreadySignedIn } from './AlreadySignedIn.tsx'
import { FailureHeader } from './FailureHeader.tsx'

type Texts = Record<'title' | 'verifying' | 'replace' | 'failed' | 'back', string> & {
  /** Names the signed-in user, and what continuing does to their session. */
  present: (name: string) => string
}
type Props = {
  screen: LinkScreen
  texts: Texts
  redeem: (token: string) => Promise<void>
  /** Set when the provider refused: the reason, and how to try again. */
  refused?: { reason: string; again: string; onAgain: () => void }
}

/** The page after the provider's: its token signs in once. */
export function ProviderReturn({ screen, texts, redeem, refused }: Props) {
  const [token] = useState(() => linkToken(screen))
  const [currentUser, setCurrentUser] = useState(() => session.get())
  const [reason, setReason] = useState<string | null>(token ? null : '')
  const started = useRef(false)

  // Uses the token on arrival, unless that would sign out another user.
  useEffect(() => {
    if (!token || currentUser || started.current) return
    started.current = true
    dropLinkToken(screen)
    void redeem(token).catch(error => setReason(messageOf(error)))
  }, [token, currentUser, screen, redeem])

  if (reason !== null) return <Failed texts={texts} reason={reason} refused={refused} />
  if (currentUser) {
    return (
      <AlreadySignedIn
        screen={screen}
        text={texts.present(currentUser.name)}
        replace={texts.replace}
        onReplace={() => setCurrentUser(null)}
      />
    )
  }
  return (
    <>
      <h1 className="sr">{texts.title}</h1>
      <div className="row center gap-2" role="status">
        <Spinner size={20} />
        {texts.verifying}
      </div>
    </>
  )
}

function Failed({ texts, reason, refused }: Pick<Props, 'texts' | 'refused'> & { reason: string }) {
  return (
    <>
      <FailureHeader title={texts.failed}>{refused?.reason ?? reason}</FailureHeader>
      <div className="stack stack-2">
        {refused && (
          <Button variant="primary" size="lg" block onClick={refused.onAgain}>
            {refused.again}
          </Button>
        )}
        <ButtonLink variant={refused ? 'secondary' : 'primary'} size="lg" block href={paths.login}>
          {texts.back}
        </ButtonLink>
      </div>
    </>
  )
}

/** The message of the server; other errors are logged. */
function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message
  console.error(error)
  return ''
}
