import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../../lib/i18n/translate.ts'
import { useStore } from '../../../lib/store.ts'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { bankConfirmation, bankResultOf } from './bank-confirmation.ts'

/** Shows the bank's confirmation page. Closing the dialog cancels the payment and keeps the form as it is. */
export function BankConfirmationDialog() {
  const t = useT()
  const confirmation = useStore(bankConfirmation)
  const frame = useRef<HTMLIFrameElement>(null)

  // The bank's page reports its result by postMessage.
  useEffect(() => {
    if (!confirmation) return
    const { end } = confirmation
    function onMessage(event: MessageEvent): void {
      const result = confirmation && bankResultOf(event, confirmation, frame.current?.contentWindow)
      if (result) end(result)
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [confirmation])

  // Cancels the confirmation when the form is closed.
  useEffect(() => () => bankConfirmation.get()?.end('canceled'), [])

  // Rendered outside the form, whose fieldset is disabled while it waits: the close button must stay enabled.
  return createPortal(
    <Dialog
      open={confirmation !== null}
      onClose={() => confirmation?.end('canceled')}
      title={t('billing.bank.title')}
      description={t('billing.bank.text')}
      closeLabel={t('global.close')}
      stays
    >
      {confirmation && (
        <iframe
          ref={frame}
          className="h-96 w-full rounded-lg border border-line bg-surface"
          title={t('billing.bank.frame')}
          src={confirmationUrl(confirmation)}
          sandbox="allow-scripts allow-same-origin allow-forms"
        />
      )}
    </Dialog>,
    document.body,
  )
}

const confirmationUrl = ({ origin, intent, secret }: { origin: string; intent: string; secret: string }) =>
  `${origin}/sandbox/3ds/${intent}?${new URLSearchParams({ client_secret: secret })}`
