import X from 'lucide-react/icons/x'
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useFieldControl } from '../base/field-context.ts'
import { Icon } from '../base/Icon.tsx'
import { isComposing } from '../base/is-composing.ts'
import './chips-input.css'

export interface ChipsInputProps {
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Called with the text that is not yet a value. */
  onTyping?: (text: string) => void
  /** An invalid chip turns red but stays, so that the user can correct it. */
  isGood: (text: string) => boolean
  removeLabel: (text: string) => string
  /** Splits typed or pasted text into values. */
  split: (text: string) => string[]
  /** Values with the same result are duplicates. */
  spelling?: (text: string) => string
  placeholder?: string
  type?: 'email' | 'text'
  disabled?: boolean
  id?: string
}

/** Several short values in one field. Comma, space, Enter, blur and paste end a value. */
export function ChipsInput({
  value,
  onChange,
  onTyping,
  isGood,
  removeLabel,
  split,
  spelling = text => text,
  placeholder,
  type = 'email',
  ...rest
}: ChipsInputProps) {
  const [draft, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const wired = useFieldControl(rest)

  function setDraft(text: string) {
    setText(text)
    onTyping?.(text)
  }
  function addText(text: string) {
    setDraft('')
    addValues(split(text))
  }
  function addValues(fresh: string[]) {
    if (fresh.length)
      onChange(
        [...value, ...fresh].filter(
          (text, at, all) => all.findIndex(other => spelling(other) === spelling(text)) === at,
        ),
      )
  }
  function handleKey(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && draft.trim()) {
      event.preventDefault()
      addText(draft)
    } else if (event.key === 'Backspace' && !draft && value.length) onChange(value.slice(0, -1))
  }
  /** Looks at the text, because on-screen keyboards and dictation send no key names. */
  function handleText(text: string) {
    const parts = split(text)
    if (split(`${text}x`).length > parts.length) return addText(text)
    // The user is still typing the last part.
    const rest = parts.length > 1 ? parts.pop() : undefined
    setDraft(rest ?? text)
    if (rest !== undefined) addValues(parts)
  }
  function change({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    // Do not change the input while an input method is composing a word.
    if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) setDraft(target.value)
    else handleText(target.value)
  }
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text')
    const [only, another] = split(text)
    if (another === undefined && only === text.trim()) return
    event.preventDefault()
    addText(draft + text)
  }
  /**
   * Adds the draft on blur. A new chip can move a button below the field while the user presses it, so wait
   * for mouseup, but run before the click, which may submit the form.
   */
  function handleBlur() {
    if (!document.body.matches(':active')) return addText(draft)
    window.addEventListener('mouseup', () => flushSync(() => addText(draft)), { once: true, capture: true })
  }
  function remove(text: string) {
    onChange(value.filter(other => other !== text))
    input.current?.focus()
  }

  return (
    // Clicking the empty area only focuses the input, so it needs no role.
    <div
      className="chips"
      onPointerUp={event => event.target === event.currentTarget && input.current?.focus()}
    >
      {value.map(text => (
        <span key={text} className={isGood(text) ? 'chip' : 'chip chip--bad'}>
          <bdi>{text}</bdi>
          <button
            type="button"
            aria-label={removeLabel(text)}
            disabled={rest.disabled}
            onClick={() => remove(text)}
          >
            <Icon of={X} size={12} />
          </button>
        </span>
      ))}
      <input
        ref={input}
        {...wired}
        className="chips__input"
        inputMode={type}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        disabled={rest.disabled}
        placeholder={value.length ? undefined : placeholder}
        value={draft}
        onChange={change}
        onCompositionEnd={event => handleText(event.currentTarget.value)}
        onKeyDown={handleKey}
        onPaste={paste}
        onBlur={handleBlur}
      />
    </div>
  )
}
