import { useRef } from 'react'
import { useT } from '../../../lib/i18n/translate.ts'
import type { CardFieldProps } from '../../../lib/inputs/card.tsx'
import { useFieldControl } from '../../../ui/base/field-context.ts'
import { CardNotLoaded } from './CardNotLoaded.tsx'
import { useStripeCard } from './use-stripe-card.ts'
import '../../../ui/form/card-fields.css'

/** Stripe's card field, styled like ours. The card goes to Stripe only, never to our server. */
export function StripeCard({ control, publishableKey }: CardFieldProps & { publishableKey: string }) {
  const t = useT()
  const box = useRef<HTMLDivElement>(null)
  const { id, 'aria-describedby': describedBy, 'aria-invalid': invalid } = useFieldControl({})
  const { card, failed, focused, retry } = useStripeCard(box, publishableKey, control)

  function connectFocus(frame: HTMLDivElement | null): void {
    if (!frame || typeof control.ref !== 'function') return
    const focus = () => (card ? card.focus() : frame.querySelector('button')?.focus())
    control.ref({ focus } as HTMLElement) // as: the form only calls focus()
  }
  return (
    <div ref={connectFocus}>
      {failed && <CardNotLoaded retry={retry} />}
      <div
        className={`control card-input ${focused ? 'is-focus' : ''}`}
        dir="ltr"
        hidden={failed}
        data-off={control.disabled || undefined}
        aria-invalid={invalid}
        aria-busy={!card && !failed ? true : undefined}
      >
        {/* The id lets a click on the label focus Stripe's frame. */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't be described, and its frame is Stripe's */}
        <div
          ref={box}
          id={id}
          role="group"
          aria-label={control.label}
          aria-describedby={describedBy}
          className="card-input__frame"
        />
        {!card && (
          <span className="sr" role="status">
            {t('global.loading')}
          </span>
        )}
      </div>
    </div>
  )
}
