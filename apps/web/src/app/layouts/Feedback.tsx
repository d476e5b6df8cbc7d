import { useRef } from 'react'
import type { PanelProps } from '../../features/feedback/FeedbackForm.tsx'
import { handleFailure } from '../../lib/api/failure.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { useSignedIn } from '../../lib/session/store.ts'
import { useStore } from '../../lib/store.ts'
import { HeartButton } from '../../ui/overlay/HeartButton.tsx'
import { useLazyComponent } from '../use-lazy-component.ts'
import { view } from '../view.ts'
import { feedbackOpen, mayGiveFeedback } from './feedback-open.ts'

const panel = view<PanelProps>(
  () => import('../../features/feedback/FeedbackForm.tsx').then(m => m.FeedbackForm),
  ['feedback'],
)

/** The feedback button on every app screen, and its panel, which loads on the first press. */
export function Feedback() {
  const t = useT()
  const user = useSignedIn()
  const heart = useRef<HTMLButtonElement>(null)
  const Panel = useLazyComponent(useStore(feedbackOpen), panel.load, onPanelFailed)
  if (!mayGiveFeedback(user)) return null

  function close(): void {
    feedbackOpen.set(false)
    heart.current?.focus()
    // On phones there is no feedback button: the panel was opened from the drawer, so focus the menu button.
    if (document.activeElement !== heart.current) document.querySelector<HTMLElement>('.burger')?.focus()
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

function onPanelFailed(error: unknown): void {
  feedbackOpen.set(false)
  handleFailure(error)
}
