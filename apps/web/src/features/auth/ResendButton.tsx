import { useEffect, useState } from 'react'
import { api } from '../../lib/api/client.ts'
import { ApiError } from '../../lib/api/error.ts'
import { handleFailure } from '../../lib/api/failure.ts'
import { language } from '../../lib/i18n/language.ts'
import { useT } from '../../lib/i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'

/** Sends the verification mail once more. Where the server has sent enough of them, it says when it can be pressed again. */
export function ResendButton({ onSent }: { onSent: () => void }) {
  const t = useT()
  const [free, setFree] = useState(0)
  const left = useSecondsUntil(free)

  async function resend(): Promise<void> {
    try {
      const { message } = await api.auth.requestVerification()
      if (message) toast({ variant: 'success', title: message })
      onSent()
    } catch (error) {
      handleFailure(error)
      if (error instanceof ApiError && error.retryAfter) setFree(Date.now() + error.retryAfter * 1000)
    }
  }

  return (
    // Not `disabled`: that would throw the focus away.
    <Button
      variant={left > 0 ? 'secondary' : 'primary'}
      size="lg"
      block
      className={left > 0 ? 'text-ink-3' : undefined}
      aria-disabled={left > 0}
      onClick={left > 0 ? undefined : resend}
    >
      {left > 0 ? t('links.verify.again', { wait: inTime(left) }) : t('auth.verify.resend')}
    </Button>
  )
}

/** In how long, as part of a sentence: in 40 seconds, in 12 minutes. Rounded up, so that it is late enough. */
function inTime(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(language.get())
  return seconds > 90 ? format.format(Math.ceil(seconds / 60), 'minute') : format.format(seconds, 'second')
}

/** Reckoned by the clock: a tab in the background may miss ticks. */
function useSecondsUntil(end: number): number {
  const [now, setNow] = useState(Date.now)
  const over = now >= end
  // A clock is outside React.
  useEffect(() => {
    if (over) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [over])
  return Math.max(0, Math.ceil((end - now) / 1000))
}
