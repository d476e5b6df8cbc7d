import { type KeyboardEvent, useState } from 'react'
import type { Control } from '../../../lib/form/types.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { focusable } from '../../../lib/inputs/focusable.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Field } from '../../../ui/base/Field.tsx'
import { Input } from '../../../ui/base/Input.tsx'
import { isComposing } from '../../../ui/base/is-composing.ts'

/** What is typed, and what of it has been applied. */
export type PromotionCode = { typed: string; applied: string }

export const noCode: PromotionCode = { typed: '', applied: '' }

/** @param value undefined where the form has no such field at the moment */
export const promotionCodeOf = (value: unknown): PromotionCode =>
  (value as PromotionCode | undefined) ?? noCode // as: this field alone writes it

type Props = {
  control: Control
  refused: string | undefined
  /** What the code takes off, once that is known. */
  good: string | undefined
  help: string | undefined
  loading: boolean
  again: () => void
}

/** Behind a question, so that a form stays calm for the many who have no code. */
export function PromotionCodeField({ control, refused, good, help, loading, again }: Props) {
  const t = useT()
  const { typed, applied } = promotionCodeOf(control.value)
  const [open, setOpen] = useState(false)
  const isApplied = applied !== '' && typed.trim() === applied
  const error = control.error ?? (isApplied ? refused : undefined)
  const shown = open || isApplied || error !== undefined

  const size = control.large ? 'lg' : 'md'

  /** An emptied field takes the code off at once: there is nothing to apply. */
  function type(text: string): void {
    control.onChange({ typed: text, applied: text.trim() === '' ? '' : applied })
  }

  function apply(): void {
    const code = typed.trim()
    if (code !== '' && code === applied) again()
    else control.onChange({ typed: code, applied: code })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
    // It applies the code; the form is sent by its own button, which says what is paid then.
    event.preventDefault()
    apply()
  }

  return (
    <div ref={focusable(control, box => box.querySelector('input'))}>
      {shown ? (
        <Field label={control.label} help={good ?? help} error={error}>
          <div className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <Input
                name={control.name}
                value={typed}
                onChange={event => type(event.target.value)}
                onBlur={control.onBlur}
                onKeyDown={onKeyDown}
                disabled={control.disabled}
                large={control.large}
                maxLength={500}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                autoFocus={open && !isApplied}
                dir="ltr"
              />
            </div>
            {isApplied && good ? (
              <Button size={size} onClick={() => type('')}>
                {t('billing.code.remove')}
              </Button>
            ) : (
              <Button size={size} loading={loading} onClick={apply}>
                {t('billing.code.apply')}
              </Button>
            )}
          </div>
        </Field>
      ) : (
        <Button
          size="sm"
          variant="ghost"
          className="-ms-2"
          onClick={() => setOpen(true)}
          disabled={control.disabled}
        >
          {t('billing.code.have')}
        </Button>
      )}
      <span role="status" className="sr">
        {good}
      </span>
    </div>
  )
}
