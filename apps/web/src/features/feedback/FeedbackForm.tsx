import type { Rating } from '@plinth/contract/endpoints/feedback'
import { limits } from '@plinth/contract/patterns'
import Frown from 'lucide-react/icons/frown'
import Meh from 'lucide-react/icons/meh'
import Smile from 'lucide-react/icons/smile'
import { useEffect, useRef, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { Form } from '../../lib/form/Form.tsx'
import { useT } from '../../lib/i18n/translate.ts'
import { area } from '../../lib/inputs/more-inputs.tsx'
import { takeFocus } from '../../lib/take-focus.ts'
import { Alert } from '../../ui/base/Alert.tsx'
import { Button } from '../../ui/base/Button.tsx'
import { Faces, FeedbackPanel } from '../../ui/overlay/Feedback.tsx'

export type PanelProps = { onClose: () => void }

/** How long the thanks stay visible, in milliseconds. */
const closeAfter = 3000

/** Three faces to choose from, then an optional comment. */
export function FeedbackForm({ onClose }: PanelProps) {
  const t = useT()
  const [rating, setRating] = useState<Rating>()
  const [sent, setSent] = useState(false)
  useAutoClose(sent, onClose)

  return (
    <FeedbackPanel
      ref={takeFocus}
      title={t('feedback.title')}
      closeLabel={t('global.close')}
      onClose={onClose}
    >
      {sent ? (
        <div ref={takeFocus} tabIndex={-1} className="outline-none">
          <Alert tone="success" announce="status" title={t('feedback.sent')}>
            {t('feedback.sent_text')}
          </Alert>
        </div>
      ) : (
        <>
          <Faces
            label={t('feedback.title')}
            value={rating}
            onChange={value => setRating(value as Rating)} // as: the three faces below are the only values
            faces={[
              { value: 'positive', label: t('feedback.positive'), icon: Smile },
              { value: 'neutral', label: t('feedback.neutral'), icon: Meh },
              { value: 'negative', label: t('feedback.negative'), icon: Frown },
            ]}
          />
          {rating && <CommentForm rating={rating} onSent={() => setSent(true)} />}
        </>
      )}
    </FeedbackPanel>
  )
}

function CommentForm({ rating, onSent }: { rating: Rating; onSent: () => void }) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  return (
    <>
      <Form
        id="feedback"
        keep="feedback"
        inputs={{
          comment: area({
            label: t(`feedback.comment_${rating}`),
            rows: 3,
            maxLength: limits.feedback_comment,
          }),
        }}
        extra={{ rating }}
        call={api.feedback.send}
        onBusy={setBusy}
        callback={onSent}
      />
      <Button type="submit" form="feedback" variant="primary" block loading={busy}>
        {t('feedback.send')}
      </Button>
    </>
  )
}

/** Closes the panel some time after the feedback was sent. */
function useAutoClose(sent: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!sent) return
    const timer = setTimeout(() => close.current(), closeAfter)
    return () => clearTimeout(timer)
  }, [sent])
}
