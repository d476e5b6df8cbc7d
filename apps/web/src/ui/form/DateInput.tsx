import Calendar from 'lucide-react/icons/calendar'
import { type ComponentProps, type MouseEvent, useRef, useState } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import { Icon } from '../base/Icon.tsx'
import './date-input.css'

export type DateInputProps = Omit<
  ComponentProps<'input'>,
  'value' | 'onChange' | 'onBlur' | 'type' | 'size' | 'max'
> & {
  /** Year-month-day, zero-padded; anything else is shown as no day. */
  value: string
  /** A day in the same form, '' for none, or `UNFINISHED`. */
  onChange: (value: string) => void
  onBlur?: () => void
  placeholder: string
  /** A day in words, as in "4 December 2026". */
  format: (day: string) => string
  large?: boolean
}

/** What is told of a day of which only a part was typed. */
const UNFINISHED = 'unfinished'

const DAY = /^\d{4}-\d{2}-\d{2}$/
export const isDay = (value: unknown): value is string => typeof value === 'string' && DAY.test(value)

/**
 * The browser's own field under the face of a button: a press opens its calendar, a phone shows its wheel, and whoever
 * comes by keyboard types into its parts. The face says the day in words while nobody types.
 */
export function DateInput(props: DateInputProps) {
  const { value, onChange, onBlur, placeholder, format, large, className, ...rest } = props
  const wired = useFieldControl(rest)
  const pressed = useRef(false)
  const [typing, setTyping] = useState(false)
  const day = isDay(value) ? value : ''

  function take(input: HTMLInputElement) {
    const next = input.value || (input.validity.badInput ? UNFINISHED : '')
    if (next !== value) onChange(next)
  }

  return (
    <span className="date" data-typing={typing || undefined}>
      <input
        {...rest}
        {...wired}
        type="date"
        className={['input', large && 'input--lg', className].filter(Boolean).join(' ')}
        // Years have four places; without an end the browser takes six.
        max="9999-12-31"
        value={day}
        onChange={event => take(event.target)}
        onPointerDown={() => {
          pressed.current = true
        }}
        onFocus={() => setTyping(!pressed.current)}
        onClick={openCalendar}
        onKeyDown={event => {
          if (event.key !== 'Tab') setTyping(true)
        }}
        onBlur={event => {
          pressed.current = false
          // Half a day stays in sight, so that it can be finished.
          setTyping(event.target.validity.badInput)
          take(event.target)
          onBlur?.()
        }}
      />
      <span className="date__face" aria-hidden="true">
        <Icon of={Calendar} />
        <span className={day ? 'date__day' : 'date__none'}>{day ? format(day) : placeholder}</span>
      </span>
    </span>
  )
}

function openCalendar(event: MouseEvent<HTMLInputElement>) {
  try {
    event.currentTarget.showPicker?.()
  } catch {
    // A browser may refuse, as inside a foreign frame: the day can still be typed.
  }
}
