import { useEffect } from 'react'
import type { Control } from '../../lib/form/types.ts'
import { useSettings } from '../settings/settings.ts'
import { BankDialog } from './card/BankDialog.tsx'
import { sandboxAdapter } from './card/sandbox-adapter.ts'

/** The bank may ask about the card on file, too. Its page opens as it does for a card that was typed. */
export function Bank({ control }: { control: Control }) {
  const provider = useSettings()?.payments.sandbox_url
  // The form lies outside this component; it is told once who asks the bank, and when that ends.
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks depends on the provider alone
  useEffect(() => {
    if (!provider) return
    control.onAdapter(sandboxAdapter({ read: () => null, blame: () => undefined }))
    return () => control.onAdapter(null)
  }, [provider])
  return provider ? <BankDialog /> : null
}
