import { useEffect } from 'react'
import { useSettings } from '../../../lib/api/settings.ts'
import type { Control } from '../../../lib/form/types.ts'
import { BankConfirmationDialog } from './BankConfirmationDialog.tsx'
import { savedCardAdapter } from './saved-card-adapter.ts'

/** Opens the confirmation page of the bank for payments with the saved card. */
export function SavedCardConfirmation({ control }: { control: Control }) {
  const payments = useSettings()?.payments
  // Registers the adapter with the form, which is outside this component.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the adapter depends on the payment settings only
  useEffect(() => {
    if (!payments) return
    control.onAdapter(savedCardAdapter(payments))
    return () => control.onAdapter(null)
  }, [payments])
  return <BankConfirmationDialog />
}
