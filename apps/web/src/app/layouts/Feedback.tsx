import { useRef } from 'react'
import type { PanelProps } from '../../features/feedback/FeedbackForm.tsx'
import { handleFailure } from '../../lib/api/failure.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { useStore } from '../../lib/store.ts'
import { HeartButton } from '../../ui/HeartButton.tsx'
import { useLate } from '../use-late.ts'
import { view } from '../view.ts'
import { feedbackOpen, mayGiveFeedback } from './feedback-open.ts'

const panel = view<PanelProps>(
  () => import('../../features/feedback/FeedbackForm.tsx').then(m => m.FeedbackForm),
  ['feedback'],
)

/** The heart in the corner of every screen of the app. What is behind it is fetched when somebody wants to say something. */
export function Feedback() {
  const t = useT()
  const user = useSignedIn()
  const heart = useRef<HTMLButtonElement>(null)
  const Panel = useLate(useStore(feedbackOpen), panel.load, cantOpen)
  if (!mayGiveFeedback(user)) return null

  function close(): void {
    feedbackOpen.set(false)
    heart.current?.focus()
  }

  return (
    <>
      <HeartButton
        ref={heart}
        label={t('account.nav.feedback')}
        open={Panel !== null}
        onPress={() => (Panel ? close() : feedbackOpen.set(true))}
      />
      {Panel && <Panel onClose={close} />}
    </>
  )
}

function cantOpen(error: unknown): void {
  feedbackOpen.set(false)
  handleFailure(error)
}
