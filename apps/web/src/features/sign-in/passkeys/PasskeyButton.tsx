import UserRoundKey from 'lucide-react/icons/user-round-key'
import { useEffect, useState } from 'react'
import { handleFailure } from '../../../lib/api/failure.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Icon } from '../../../ui/base/Icon.tsx'
import { toast } from '../../../ui/overlay/toast.ts'

const loadSignIn = () => import('./sign-in-with-passkey.ts')
const whenIdle: (run: () => void) => unknown =
  'requestIdleCallback' in window ? run => requestIdleCallback(run) : run => setTimeout(run)

async function offerAutofill(signal: AbortSignal): Promise<void> {
  try {
    await (await loadSignIn()).offerPasskeys(signal)
  } catch {
    // The user did not ask for autofill, so it fails silently. The button reports its errors.
  }
}

/** Signs in with a passkey, by this button or by autofill in the email field. */
export function PasskeyButton() {
  const t = useT()
  const [asking, setAsking] = useState(false)

  // Browsers allow one passkey request at a time, so autofill stops while the button's request is open.
  useEffect(() => {
    if (asking) return
    const controller = new AbortController()
    whenIdle(() => {
      if (!controller.signal.aborted) void offerAutofill(controller.signal)
    })
    return () => controller.abort()
  }, [asking])

  async function signIn(): Promise<void> {
    setAsking(true)
    try {
      await (await loadSignIn()).signInWithPasskey()
    } catch (error) {
      if (error instanceof DOMException) toast({ variant: 'error', title: t('auth.sign_in.passkey_failed') })
      else handleFailure(error)
    } finally {
      setAsking(false)
    }
  }

  return (
    <Button size="lg" block icon={<Icon of={UserRoundKey} />} onClick={signIn}>
      {t('auth.sign_in.passkey')}
    </Button>
  )
}
