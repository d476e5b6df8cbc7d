import { useState } from 'react'
import { api } from '../../../lib/api/client.ts'
import { attempt } from '../../../lib/api/failure.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { completeSignIn } from '../../../lib/session/complete-sign-in.ts'
import { Button } from '../../../ui/base/Button.tsx'

type Props = { secret: string; account: string; onError: (error: unknown) => boolean }

/** Adds the signed-in user to the account, and opens it in the same session. */
export function JoinButton({ secret, account, onError }: Props) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  // One idempotency key for all tries.
  const [key] = useState(() => crypto.randomUUID())

  async function join(): Promise<void> {
    setBusy(true)
    const joined = await attempt(api.team.accept({ body: { invite_id: secret }, key }), onError)
    if (joined) await completeSignIn(joined)
    setBusy(false)
  }

  return (
    <Button variant="primary" size="lg" block loading={busy} onClick={join}>
      {t('links.invite.join', { account })}
    </Button>
  )
}
