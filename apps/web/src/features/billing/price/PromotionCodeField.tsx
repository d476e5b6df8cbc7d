import { type KeyboardEvent, useState } from 'react'
import type { Control } from '../../../lib/form/types.ts'
import { useT } from '../../../lib/i18n/translate.ts'
import { focusable } from '../../../lib/inputs/focusable.ts'
import { Button } from '../../../ui/base/Button.tsx'
import { Field } from '../../../ui/base/Field.tsx'
import { Input } from '../../../ui/base/Input.tsx'
import { isComposing } from '../../../ui/base/is-composing.ts'

export type PromotionCode = { typed: string; applied: string }

export const noCode: PromotionCode = { typed: '', applied: '' }

/** @param value undefined while the form has no promotion code field */
export const promotionCodeOf = (value: unknown): PromotionCode =>
  (value as PromotionCode | undefined) ?? noCode // as: only this field writes the value

type Props = {
  control: Control
  refusal: string | undefined
  /** What the code takes off, once it has been accepted. */
  discount: string | undefined
  help: string | undefined
  loading: boolean
  retry: () => void
}

/** Hidden behind a button, because most customers have no code. */
export function PromotionCodeField({ control, refusal, discount, help, loading, retry }: Props) {
  const t = useT()
  const { typed, applied } = promotionCodeOf(control.value)
  const [open, setOpen] = useState(false)
  const isApplied = applied !== '' && typed.trim() === applied
  const error = control.error ?? (isApplied ? refusal : undefined)
  const shown = open || isApplied || error !== undefined

  const size = control.large ? 'lg' : 'md'

  /** Clearing the field removes the code at once. */
  function changeText(text: string): void {
    control.onChange({ typed: text, applied: text.trim() === '' ? '' : applied })
  }

  function apply(): void {
    const code = typed.trim()
    if (code !== '' && code === applied) retry()
    else control.onChange({ typed: code, applied: code })
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
    // Enter applies the code instead of submitting the form, whose button must first name the new price.
    event.preventDefault()
    apply()
  }

  return (
    <div ref={focusable(control, box => box.querySelector('input'))}>
      {shown ? (
        <Field label={control.label} help={discount ?? help} error={error}>
          <div className="flex items-start gap-2">
            <div className="min-w-0 flex-1">
              <Input
                name={control.name}
                value={typed}
                onChange={event => changeText(event.target.value)}
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
            {isApplied && discount ? (
              <Button size={size} onClick={() => changeText('')}>
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
        {discount}
      </span>
    </div>
  )
}
