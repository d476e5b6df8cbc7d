import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../../lib/i18n/translate.ts'
import { useStore } from '../../../lib/store.ts'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { bank, endOf } from './bank-confirmation.ts'

/** The bank's own page in a dialog. Closing it, or Escape, cancels the payment and loses nothing typed. */
export function BankConfirmationDialog() {
  const t = useT()
  const question = useStore(bank)
  const frame = useRef<HTMLIFrameElement>(null)

  // Another window speaks through an event of ours; there is no other way to hear it.
  useEffect(() => {
    if (!question) return
    const { end } = question
    function listen(event: MessageEvent): void {
      const heard = question && endOf(event, question, frame.current?.contentWindow)
      if (heard) end(heard)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [question])

  // A card that goes away with its form takes the question along.
  useEffect(() => () => bank.get()?.end('canceled'), [])

  // Outside the form: its fields are disabled while it waits, and the dialog's cross would be too.
  return createPortal(
    <Dialog
      open={question !== null}
      onClose={() => question?.end('canceled')}
      title={t('billing.bank.title')}
      description={t('billing.bank.text')}
      closeLabel={t('global.close')}
      stays
    >
      {question && (
        <iframe
          ref={frame}
          className="h-96 w-full rounded-lg border border-line bg-surface"
          title={t('billing.bank.frame')}
          src={addressOf(question)}
          sandbox="allow-scripts allow-same-origin allow-forms"
        />
      )}
    </Dialog>,
    document.body,
  )
}

const addressOf = ({ origin, intent, secret }: { origin: string; intent: string; secret: string }) =>
  `${origin}/sandbox/3ds/${intent}?${new URLSearchParams({ client_secret: secret })}`
