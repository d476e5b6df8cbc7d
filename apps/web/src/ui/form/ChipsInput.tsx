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
  /** What is typed and not yet a value. */
  onTyping?: (text: string) => void
  /** A chip that does not pass is drawn red; it stays, so that nothing typed is lost. */
  isGood: (text: string) => boolean
  removeLabel: (text: string) => string
  /** The values in what was typed or pasted. */
  split: (text: string) => string[]
  /** Values of one spelling are the same value. */
  spelling?: (text: string) => string
  placeholder?: string
  type?: 'email' | 'text'
  disabled?: boolean
  id?: string
}

/** Several short values in one field: comma, space, Enter, leaving and pasting all end a value. */
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
  function add(text: string) {
    setDraft('')
    put(split(text))
  }
  function put(fresh: string[]) {
    if (fresh.length)
      onChange(
        [...value, ...fresh].filter(
          (text, at, all) => all.findIndex(other => spelling(other) === spelling(text)) === at,
        ),
      )
  }
  function key(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    if (event.key === 'Enter' && draft.trim()) {
      event.preventDefault()
      add(draft)
    } else if (event.key === 'Backspace' && !draft && value.length) onChange(value.slice(0, -1))
  }
  /** By the text, not by keys: on-screen keyboards and dictation name no keys. */
  function take(text: string) {
    const parts = split(text)
    if (split(`${text}x`).length > parts.length) return add(text)
    // Of several the last one is still being typed.
    const rest = parts.length > 1 ? parts.pop() : undefined
    setDraft(rest ?? text)
    if (rest !== undefined) put(parts)
  }
  function change({ target, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    // A word that is being composed is not the field's to cut.
    if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) setDraft(target.value)
    else take(target.value)
  }
  function paste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text')
    const [only, another] = split(text)
    if (another === undefined && only === text.trim()) return
    event.preventDefault()
    add(draft + text)
  }
  /**
   * A chip more may make the box higher, and a button below it would move away under the press that left it: then the
   * press comes first. Before its click, which counts on what was typed.
   */
  function leave() {
    if (!document.body.matches(':active')) return add(draft)
    window.addEventListener('mouseup', () => flushSync(() => add(draft)), { once: true, capture: true })
  }
  function remove(text: string) {
    onChange(value.filter(other => other !== text))
    input.current?.focus()
  }

  return (
    // Pressing the empty part is only a shortcut for pressing the input, so it needs no role.
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
        onCompositionEnd={event => take(event.currentTarget.value)}
        onKeyDown={key}
        onPaste={paste}
        onBlur={leave}
      />
    </div>
  )
}
