import CreditCard from 'lucide-react/icons/credit-card'
import { useRef, useState } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import { Icon } from '../base/Icon.tsx'
import {
  brandOf,
  type CardValue,
  digitsOf,
  formatCvc,
  formatExpiry,
  formatNumber,
  isCardNumber,
} from './card-format.ts'
import './card-fields.css'

export interface CardFieldsProps {
  /** Null while all three inputs are empty, so that a required card fails the validation. */
  onChange: (value: CardValue | null) => void
  onBlur?: () => void
  /** The hints are placeholders. */
  labels: { number: string; exp: string; cvc: string; expHint?: string; cvcHint?: string }
  disabled?: boolean
  id?: string
  /** The initial values, for a card that was typed before the field was unmounted. */
  start?: CardValue | null
}

const EMPTY: CardValue = { number: '', exp: '', cvc: '' }

/** Number, expiry and code in one frame. Only formats them; the parent calls the payment provider. */
export function CardFields({ onChange, onBlur, labels, disabled, id, start }: CardFieldsProps) {
  const [card, setCard] = useState(start ?? EMPTY)
  // Autofill changes all three inputs before the next render.
  const latest = useRef(card)
  const wired = useFieldControl({ id })
  const exp = useRef<HTMLInputElement>(null)
  const cvc = useRef<HTMLInputElement>(null)
  const described = { 'aria-describedby': wired['aria-describedby'], 'aria-invalid': wired['aria-invalid'] }

  function set(patch: Partial<CardValue>) {
    const next = { ...latest.current, ...patch }
    latest.current = next
    setCard(next)
    onChange(next.number || next.exp || next.cvc ? next : null)
  }
  function typeNumber(text: string, typing: boolean) {
    const number = formatNumber(text)
    set({ number, cvc: formatCvc(latest.current.cvc, number) })
    const full = digitsOf(number).length === (brandOf(digitsOf(number)) === 'amex' ? 15 : 16)
    if (typing && full && isCardNumber(number) && number !== card.number) exp.current?.focus()
  }
  function typeExpiry(text: string, typing: boolean) {
    const next = formatExpiry(text, card.exp)
    set({ exp: next })
    if (typing && next.length === 7 && next !== card.exp) cvc.current?.focus()
  }
  const common = {
    type: 'text',
    inputMode: 'numeric',
    disabled,
    spellCheck: false,
    onBlur,
    ...described,
  } as const

  return (
    <div className="card-input-place">
      <div
        className="control card-input"
        dir="ltr"
        aria-invalid={wired['aria-invalid']}
        data-off={disabled || undefined}
      >
        <Icon of={CreditCard} />
        <input
          {...common}
          id={wired.id}
          name="cc-number"
          className="card-input__number"
          autoComplete="cc-number"
          aria-label={labels.number}
          placeholder={labels.number}
          value={card.number}
          onChange={({ target }) => typeNumber(target.value, isFocused(target))}
        />
        <input
          {...common}
          ref={exp}
          name="cc-exp"
          className="card-input__exp"
          autoComplete="cc-exp"
          aria-label={labels.exp}
          placeholder={labels.expHint ?? 'MM / YY'}
          value={card.exp}
          onChange={({ target }) => typeExpiry(target.value, isFocused(target))}
        />
        <input
          {...common}
          ref={cvc}
          name="cc-csc"
          className="card-input__cvc"
          autoComplete="cc-csc"
          aria-label={labels.cvc}
          placeholder={labels.cvcHint ?? 'CVC'}
          value={card.cvc}
          onChange={event => set({ cvc: formatCvc(event.target.value, latest.current.number) })}
        />
      </div>
    </div>
  )
}

/** Move to the next input only while the user types, not on autofill. */
const isFocused = (box: HTMLInputElement) => document.activeElement === box
