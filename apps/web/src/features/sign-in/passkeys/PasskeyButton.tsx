import UserRoundKey from 'lucide-react/icons/user-round-key'
import { useEffect, useState } from 'react'
import { handleFailure } from '../../../lib/api/failure.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import { toast } from '../../../ui/overlay/toast.ts'

const load = () => import('./ceremony.ts')
const later: (run: () => void) => unknown =
  'requestIdleCallback' in window ? run => requestIdleCallback(run) : run => setTimeout(run)

async function offer(signal: AbortSignal): Promise<void> {
  try {
    await (await load()).offerPasskeys(signal)
  } catch {
    // Nobody has asked for it, so nobody is told that there is none; the button tells who asks.
  }
}

/** Signs in with a passkey: by this button, and by what the browser offers in the email field meanwhile. */
export function PasskeyButton() {
  const t = useT()
  const [asking, setAsking] = useState(false)

  // The offer is the browser's. A browser asks one question at a time, so it ends while the button's is open.
  useEffect(() => {
    if (asking) return
    const end = new AbortController()
    later(() => {
      if (!end.signal.aborted) void offer(end.signal)
    })
    return () => end.abort()
  }, [asking])

  async function press(): Promise<void> {
    setAsking(true)
    try {
      await (await load()).signInWithPasskey()
    } catch (error) {
      if (error instanceof DOMException) toast({ variant: 'error', title: t('auth.sign_in.passkey_failed') })
      else handleFailure(error)
    } finally {
      setAsking(false)
    }
  }

  return (
    <Button size="lg" block icon={<Icon of={UserRoundKey} />} onClick={press}>
      {t('auth.sign_in.passkey')}
    </Button>
  )
}
