import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { language } from '../../../lib/i18n/language.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { toast } from '../../../ui/overlay/toast.ts'

/** Sends the verification mail once more. Where the server has sent enough of them, it says when it can be pressed again. */
export function ResendButton({ onSent }: { onSent: () => void }) {
  const t = useT()
  const [left, wait] = useWait()

  async function resend(): Promise<void> {
    try {
      const { message } = await api.auth.requestVerification()
      if (message) toast({ variant: 'success', title: message })
      onSent()
    } catch (error) {
      handleFailure(error)
      if (error instanceof ApiError && error.retryAfter) wait(error.retryAfter)
    }
  }

  return (
    // Not `disabled`: that would throw the focus away.
    <Button
      variant={left > 0 ? 'secondary' : 'primary'}
      size="lg"
      block
      className={left > 0 ? 'text-ink-3' : undefined}
      {...(left > 0 ? { 'aria-disabled': true } : { onClick: resend })}
    >
      {left > 0 ? t('links.verify.again', { wait: inTime(left) }) : t('auth.verify.resend')}
    </Button>
  )
}

/**
 * In how long, as part of a sentence: in 40 seconds, in 12 minutes. Rounded up, so that it is late enough; in tens, for
 * it stands in the button's name, which a screen reader says again when it changes.
 */
function inTime(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(language.get())
  return seconds > 90
    ? format.format(Math.ceil(seconds / 60), 'minute')
    : format.format(Math.ceil(seconds / 10) * 10, 'second')
}

/** Seconds that are left, and what begins a wait. Reckoned by the clock: a tab in the background may miss ticks. */
function useWait(): [left: number, wait: (seconds: number) => void] {
  const [{ now, end }, set] = useState({ now: 0, end: 0 })
  const over = now >= end
  // A clock is outside React.
  useEffect(() => {
    if (over) return
    const timer = setInterval(() => set(it => ({ ...it, now: Date.now() })), 1000)
    return () => clearInterval(timer)
  }, [over])
  const wait = (seconds: number) => set({ now: Date.now(), end: Date.now() + seconds * 1000 })
  return [Math.max(0, Math.ceil((end - now) / 1000)), wait]
}
