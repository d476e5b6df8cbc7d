import { limits } from '@plinth/contract/patterns'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Form, type FormCall } from '../../../lib/form/Form.tsx'
import { email } from '../../../lib/form/inputs.tsx'
import { useT } from '../../../lib/i18n/translate.ts'
import { Alert } from '../../../ui/base/Alert.tsx'
import { Button } from '../../../ui/base/Button.tsx'
import { InboxHint } from './InboxHint.tsx'

export type LinkRequestProps = {
  send: FormCall<{ email: string }, unknown>
  buttonText: string
  help?: ReactNode
  /** How long the link works. */
  minutes: number
  /** The address to start with, and news of it. */
  address: string
  onAddress: (address: string) => void
  autoFocus?: boolean
}

/** How long the same address waits for another mail. */
const PAUSE = 60

/**
 * Asks for a link by mail. Sent, it says so and stays: the address is kept, can be corrected at once, and after a
 * while the same one can be tried again. Whether it has a user is never told.
 */
export function LinkRequest({
  send,
  buttonText,
  help,
  minutes,
  address,
  onAddress,
  autoFocus,
}: LinkRequestProps) {
  const t = useT()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const pause = usePause()
  const waits = sentTo === address.trim() && pause.left > 0
  return (
    <>
      {sentTo && (
        <Sent key={pause.began}>
          {t('auth.link.sent_to', { email: sentTo })} {t('auth.link.minutes', { count: minutes })}
        </Sent>
      )}
      <Form
        large
        inputs={{
          email: email({
            label: t('auth.email'),
            help,
            required: true,
            value: address,
            maxLength: limits.email,
            autoComplete: 'username',
            autoFocus,
          }),
        }}
        call={send}
        callback={(_, values) => {
          setSentTo(String(values.email).trim())
          pause.start()
        }}
        onChange={values => onAddress(String(values.email ?? ''))}
        onBusy={setBusy}
      >
        <Button type="submit" variant="primary" size="lg" block loading={busy} disabled={waits}>
          {waits ? t('auth.link.again_in', { seconds: pause.left }) : buttonText}
        </Button>
      </Form>
      {sentTo && <InboxHint />}
    </>
  )
}

/** Takes the focus when it appears: the button that had it has gone to sleep, and this is what there is to read. */
function Sent({ children }: { children: ReactNode }) {
  const t = useT()
  const place = useRef<HTMLDivElement>(null)
  // The focus is the browser's.
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={place} tabIndex={-1} className="rounded-lg">
      <Alert tone="info" title={t('auth.verify.inbox')}>
        {children}
      </Alert>
    </div>
  )
}

/** Seconds that are left of a pause. Reckoned by the clock: a tab in the background may miss ticks. */
function usePause() {
  const [began, setBegan] = useState(0)
  const [left, setLeft] = useState(0)
  // A clock is outside React.
  useEffect(() => {
    if (!began) return
    const tick = () => setLeft(Math.max(0, PAUSE - Math.floor((Date.now() - began) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [began])
  return { left, began, start: () => setBegan(Date.now()) }
}
