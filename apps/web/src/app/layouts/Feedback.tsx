import { stageOf } from '@plinth/contract/access'
import { useRef, useState } from 'react'
import type { PanelProps } from '../../features/feedback/FeedbackForm.tsx'
import { handleFailure } from '../../lib/api/failure.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { HeartButton } from '../../ui/HeartButton.tsx'
import { view } from '../view.ts'

const panel = view<PanelProps>(
  () => import('../../features/feedback/FeedbackForm.tsx').then(m => m.FeedbackForm),
  ['feedback'],
)

/** The heart in the corner of every screen of the app. What is behind it is fetched when somebody wants to say something. */
export function Feedback() {
  const t = useT()
  const user = useSignedIn()
  const heart = useRef<HTMLButtonElement>(null)
  const [Panel, setPanel] = useState<React.ComponentType<PanelProps> | null>(null)
  // The server takes it from whoever is through the sign-up, and from nobody in another's name.
  if (stageOf(user) !== 'active' || user.support_until) return null

  function close(): void {
    setPanel(null)
    heart.current?.focus()
  }

  return (
    <>
      <HeartButton
        ref={heart}
        label={t('account.nav.feedback')}
        open={Panel !== null}
        onPress={() => {
          if (Panel) return close()
          panel.load().then(found => setPanel(() => found), handleFailure)
        }}
      />
      {Panel && <Panel onClose={close} />}
    </>
  )
}
