import { useEffect } from 'react'
import { useSettings } from '../../../lib/api/settings.ts'
import type { Control } from '../../../lib/form/types.ts'
import { BankConfirmationDialog } from './BankConfirmationDialog.tsx'
import { savedCardAdapter } from './saved-card-adapter.ts'

/** The bank may ask about the card on file, too. Its page opens as it does for a card that was typed. */
export function Bank({ control }: { control: Control }) {
  const payments = useSettings()?.payments
  // The form lies outside this component; it is told once who asks the bank, and when that ends.
  // biome-ignore lint/correctness/useExhaustiveDependencies: who asks depends on the provider alone
  useEffect(() => {
    if (!payments) return
    control.onAdapter(savedCardAdapter(payments))
    return () => control.onAdapter(null)
  }, [payments])
  return <BankConfirmationDialog />
}
