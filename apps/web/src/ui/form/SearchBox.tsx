import Search from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import { Icon } from '../base/Icon.tsx'
import { Input } from '../base/Input.tsx'
import { isComposing } from '../base/is-composing.ts'

export interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
  /** Label of a button that clears the field. */
  clearLabel?: string
  /** Milliseconds to wait after typing, for searches on the server. */
  debounce?: number
}

export function SearchBox({ label, value, onChange, clearLabel, debounce = 0 }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  const box = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Follow outside changes, for example by the back button, but do not overwrite text that is being typed.
  if (value !== lastValue) {
    setLastValue(value)
    setText(value)
  }
  // Cancel the timer on unmount.
  useEffect(() => () => clearTimeout(timer.current), [])

  function send(next: string) {
    clearTimeout(timer.current)
    setLastValue(next)
    onChange(next)
  }
  function clear() {
    setText('')
    send('')
    box.current?.focus()
  }
  function handleType(next: string) {
    setText(next)
    clearTimeout(timer.current)
    if (debounce) timer.current = setTimeout(() => send(next), debounce)
    else send(next)
  }

  return (
    <Input
      ref={box}
      type="search"
      quiet
      className="input--bar"
      start={<Icon of={Search} />}
      end={
        clearLabel &&
        text && (
          <button type="button" className="affix__btn" aria-label={clearLabel} onClick={clear}>
            <Icon of={X} />
          </button>
        )
      }
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={event => handleType(event.target.value)}
      onKeyDown={event => {
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Enter') send(text)
        if (event.key === 'Escape' && text) {
          event.stopPropagation()
          clear()
        }
      }}
    />
  )
}
