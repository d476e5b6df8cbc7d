import { useEffect, useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { ApiError } from '../../../lib/api/error.ts'
import { handleFailure } from '../../../lib/api/failure.ts'
import { language } from '../../../lib/i18n/language.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { toast } from '../../../ui/overlay/toast.ts'

/** Sends the verification mail again. After too many mails it shows when the next one is possible. */
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
    // Not `disabled`, which would drop the focus.
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
 * "in 40 seconds" or "in 12 minutes", rounded up. Seconds change in tens, because a screen reader repeats the
 * button's name at each change.
 */
function inTime(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(language.get())
  return seconds > 90
    ? format.format(Math.ceil(seconds / 60), 'minute')
    : format.format(Math.ceil(seconds / 10) * 10, 'second')
}

/** Seconds left, and a function that starts the wait. Uses the clock, because background tabs miss ticks. */
function useWait(): [left: number, wait: (seconds: number) => void] {
  const [{ now, end }, set] = useState({ now: 0, end: 0 })
  const over = now >= end
  // Subscribes to a timer.
  useEffect(() => {
    if (over) return
    const timer = setInterval(() => set(it => ({ ...it, now: Date.now() })), 1000)
    return () => clearInterval(timer)
  }, [over])
  const wait = (seconds: number) => set({ now: Date.now(), end: Date.now() + seconds * 1000 })
  return [Math.max(0, Math.ceil((end - now) / 1000)), wait]
}
