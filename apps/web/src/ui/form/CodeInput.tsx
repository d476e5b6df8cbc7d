import { type ComponentProps, Fragment, useState } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import './code-input.css'

export type CodeInputProps = Omit<
  ComponentProps<'input'>,
  'value' | 'onChange' | 'type' | 'size' | 'maxLength' | 'pattern' | 'accept'
> & {
  value: string
  onChange: (value: string) => void
  /** Called once when the last slot is filled. */
  onComplete?: (value: string) => void
  length?: number
  /** Other characters are ignored. */
  accept?: RegExp
}

/** One real input over drawn slots, so that paste, autofill and screen readers work as usual. */
export function CodeInput(props: CodeInputProps) {
  const { value, onChange, onComplete, length = 6, accept = /[0-9]/, className, ...rest } = props
  const [caret, setCaret] = useState<number | null>(null)
  const wired = useFieldControl(rest)
  const half = Math.ceil(length / 2)
  // No event reports a reset of the value, so limit the caret here.
  const shown = caret === null ? null : Math.min(caret, value.length, length - 1)

  function handleInput(input: HTMLInputElement) {
    const at = input.selectionStart
    const next = [...input.value]
      .filter(character => accept.test(character))
      .join('')
      .slice(0, length)
    // React updates the input after this event, but `onComplete` may submit the form, which reads it.
    if (input.value !== next) input.value = next
    if (next !== value) onChange(next)
    if (next.length === length && next !== value) onComplete?.(next)
    setCaret(Math.min(at ?? next.length, length - 1))
  }

  return (
    <span className={className ? `otp ${className}` : 'otp'} dir="ltr">
      <input
        inputMode={accept.test('a') ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        {...rest}
        {...wired}
        type="text"
        className="otp__input"
        value={value}
        onChange={event => handleInput(event.target)}
        onSelect={event => setCaret(Math.min(event.currentTarget.selectionStart ?? value.length, length - 1))}
        onFocus={event => {
          event.currentTarget.setSelectionRange(value.length, value.length)
          // An empty input sends no select event.
          setCaret(Math.min(value.length, length - 1))
        }}
        onBlur={() => setCaret(null)}
      />
      {[0, half].map((from, group) => (
        <Fragment key={from}>
          {group > 0 && <i className="otp__sep" aria-hidden="true" />}
          <span className="otp__group" aria-hidden="true">
            {Array.from({ length: group ? length - half : half }, (_, index) => from + index).map(place => (
              <span
                key={place}
                className={place === shown ? 'otp__slot is-focus' : 'otp__slot'}
                data-bad={wired['aria-invalid'] || undefined}
                data-full={place < value.length || undefined}
              >
                {value[place]}
              </span>
            ))}
          </span>
        </Fragment>
      ))}
    </span>
  )
}
