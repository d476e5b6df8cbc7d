import { useEffect, useRef } from 'react'
import { useT } from '../../../lib/i18n/translate.ts'
import type { CardFieldProps } from '../../../lib/inputs/card.tsx'
import { focusable } from '../../../lib/inputs/focusable.ts'
import { CardFields } from '../../../ui/form/CardFields.tsx'
import type { CardValue } from '../../../ui/form/card-format.ts'
import { BankConfirmationDialog } from './BankConfirmationDialog.tsx'
import { type CardPart, isCard } from './card-checks.ts'
import { sandboxAdapter } from './sandbox-adapter.ts'

const inputIndex: Record<CardPart, number> = { number: 0, exp: 1, cvc: 2 }

/** Card inputs of our own. Their content goes to the sandbox only, never to our server. */
export function SandboxCard({ control }: CardFieldProps) {
  const t = useT()
  const start = isCard(control.value) ? control.value : null
  const typed = useRef<CardValue | null>(start)
  const invalidPart = useRef<CardPart>('number')

  // Registers the adapter with the form, which is outside this component.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the adapter reads the latest values through refs
  useEffect(() => {
    control.onAdapter(
      sandboxAdapter({
        read: () => typed.current,
        markInvalid: part => {
          invalidPart.current = part
        },
      }),
    )
    return () => control.onAdapter(null)
  }, [])

  return (
    <div ref={focusable(control, box => box.querySelectorAll('input')[inputIndex[invalidPart.current]])}>
      <CardFields
        start={start}
        disabled={control.disabled}
        onBlur={control.onBlur}
        onChange={card => {
          typed.current = card
          invalidPart.current = 'number'
          control.onChange(card)
        }}
        labels={{
          number: t('billing.card.number'),
          exp: t('billing.card.exp'),
          cvc: t('billing.card.cvc'),
          expHint: t('billing.card.exp_hint'),
          cvcHint: t('billing.card.cvc_hint'),
        }}
      />
      <BankConfirmationDialog />
    </div>
  )
}
