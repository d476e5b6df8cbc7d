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
  /** The first value of the field; `onAddress` reports its changes. */
  address: string
  onAddress: (address: string) => void
  autoFocus?: boolean
}

/** Seconds before the same address can get another mail. */
const PAUSE = 60

/**
 * Requests a link by mail. The address stays in the form: it can be corrected at once, or used again after a
 * pause. The answer never says whether the address has a user.
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
  const mustWait = sentTo === address.trim() && pause.left > 0
  return (
    <>
      {sentTo && (
        <SentNotice key={pause.began}>
          {t('auth.link.sent_to', { email: sentTo })} {t('auth.link.minutes', { count: minutes })}
        </SentNotice>
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
        <Button type="submit" variant="primary" size="lg" block loading={busy} disabled={mustWait}>
          {mustWait ? t('auth.link.again_in', { seconds: pause.left }) : buttonText}
        </Button>
      </Form>
      {sentTo && <InboxHint />}
    </>
  )
}

/** Takes the focus, because the button that had it is disabled now. */
function SentNotice({ children }: { children: ReactNode }) {
  const t = useT()
  const notice = useRef<HTMLDivElement>(null)
  // Sets the focus once, on mount.
  useEffect(() => notice.current?.focus({ preventScroll: true }), [])
  return (
    <div ref={notice} tabIndex={-1} className="rounded-lg">
      <Alert tone="info" title={t('auth.verify.inbox')}>
        {children}
      </Alert>
    </div>
  )
}

/** Seconds left of a pause. Uses the clock, because background tabs miss ticks. */
function usePause() {
  const [began, setBegan] = useState(0)
  const [left, setLeft] = useState(0)
  // Subscribes to a timer.
  useEffect(() => {
    if (!began) return
    const tick = () => setLeft(Math.max(0, PAUSE - Math.floor((Date.now() - began) / 1000)))
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [began])
  return { left, began, start: () => setBegan(Date.now()) }
}
