import Calendar from 'lucide-react/icons/calendar'
import { type ComponentProps, type MouseEvent, useRef, useState } from 'react'
import { useFieldControl } from '../base/field-context.ts'
import { Icon } from '../base/Icon.tsx'
import './date-input.css'

export type DateInputProps = Omit<
  ComponentProps<'input'>,
  'value' | 'onChange' | 'onBlur' | 'type' | 'size' | 'max'
> & {
  /** `YYYY-MM-DD`; other values are shown as empty. */
  value: string
  /** A date in the same form, '' for none, or `UNFINISHED`. */
  onChange: (value: string) => void
  onBlur?: () => void
  placeholder: string
  /** Formats the date, for example as "4 December 2026". */
  format: (day: string) => string
  large?: boolean
}

/** The value of a partly typed date. */
const UNFINISHED = 'unfinished'

const DAY = /^\d{4}-\d{2}-\d{2}$/
export const isDay = (value: unknown): value is string => typeof value === 'string' && DAY.test(value)

/**
 * The native date field below the look of a button. A press opens the browser's date picker; keyboard users
 * type into the native field. While no one types, the formatted date is shown.
 */
export function DateInput(props: DateInputProps) {
  const { value, onChange, onBlur, placeholder, format, large, className, ...rest } = props
  const wired = useFieldControl(rest)
  const pressed = useRef(false)
  const [typing, setTyping] = useState(false)
  const day = isDay(value) ? value : ''

  function readValue(input: HTMLInputElement) {
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
        // Without a maximum, browsers accept six-digit years.
        max="9999-12-31"
        value={day}
        onChange={event => readValue(event.target)}
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
          // Keep a partly typed date visible, so that the user can finish it.
          setTyping(event.target.validity.badInput)
          readValue(event.target)
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
    // Browsers may block the picker, for example in an iframe; typing still works.
  }
}
