import SearchIcon from 'lucide-react/icons/search'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Icon, type IconType } from '../base/Icon.tsx'
import { isComposing } from '../base/is-composing.ts'
import { useModal } from './use-modal.ts'
import './dialog.css'
import '../base/kbd.css'
import './palette.css'

interface Option {
  key: string
  icon: IconType
  label: string
  /** Shown after the label in grey, for example the tab of a screen. */
  detail?: string | undefined
}

export interface PaletteProps<O extends Option> {
  label: string
  listLabel: string
  /** The key shown on the close button, and its label for screen readers. */
  closing: { key: string; label: string }
  query: string
  onQuery: (query: string) => void
  /** The matching options; groups are never empty. */
  groups: readonly { key: string; label: string; options: readonly O[] }[]
  /** Announced to screen readers when it changes. */
  count: string
  /** Shown when nothing matches. */
  none: string
  onChoose: (option: O) => void
  onClose: () => void
}

/** A search field with a list of options. The focus stays in the field; arrow keys mark an option. */
export function Palette<O extends Option>(props: PaletteProps<O>) {
  const { label, listLabel, closing, query, onQuery, groups, count, none, onChoose, onClose } = props
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [marked, setMarked] = useState('')
  const modal = useModal({ open: true, onClose, orHeading: true })
  const options = groups.flatMap(group => group.options)
  // If the marked option no longer matches, mark the first one.
  const active = options.find(({ key }) => key === marked) ?? options[0]
  const idOf = (key: string) => `${id}${key}`

  function scrollToTop(): void {
    if (list.current) list.current.scrollTop = 0
  }
  function mark(place: number): void {
    const option = options[(place + options.length) % options.length]
    if (!option) return
    setMarked(option.key)
    // For the first option also show its heading.
    if (option === options[0]) scrollToTop()
    else document.getElementById(idOf(option.key))?.scrollIntoView({ block: 'nearest' })
  }

  function handleKey(event: KeyboardEvent): void {
    const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent } = event
    // This Enter accepts a word of an input method.
    if (isComposing(nativeEvent) || shiftKey || ctrlKey || metaKey || altKey) return
    const at = active ? options.indexOf(active) : 0
    const actions: Record<string, () => void> = {
      ArrowDown: () => mark(at + 1),
      ArrowUp: () => mark(at - 1),
      Home: () => mark(0),
      End: () => mark(options.length - 1),
      Enter: () => active && onChoose(active),
    }
    const action = actions[key]
    if (!action) return
    event.preventDefault()
    action()
  }

  return (
    <dialog className="palette" aria-label={label} {...modal}>
      <div className="palette__field">
        <Icon of={SearchIcon} />
        <input
          type="text"
          className="palette__input"
          dir="auto"
          role="combobox"
          aria-label={label}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={options.length > 0 ? `${id}list` : undefined}
          aria-activedescendant={active && idOf(active.key)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={label}
          value={query}
          onChange={event => {
            onQuery(event.target.value)
            setMarked('')
            scrollToTop()
          }}
          onKeyDown={handleKey}
        />
        <button type="button" className="palette__close" aria-label={closing.label} onClick={onClose}>
          <span className="kbd" dir="ltr" data-keys={closing.key} aria-hidden="true" />
          <Icon of={X} />
        </button>
      </div>
      <p className="sr" role="status">
        {count}
      </p>
      {options.length === 0 ? (
        <p className="palette__none">{none}</p>
      ) : (
        <div ref={list} id={`${id}list`} className="palette__list" role="listbox" aria-label={listLabel}>
          {groups.map(group => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
            <div key={group.key} role="group" aria-labelledby={idOf(group.key)}>
              <p className="palette__label" id={idOf(group.key)} aria-hidden="true">
                {group.label}
              </p>
              {group.options.map(option => (
                <button
                  key={option.key}
                  id={idOf(option.key)}
                  type="button"
                  role="option"
                  tabIndex={-1}
                  aria-selected={option === active}
                  className="palette__item"
                  // Keep the focus in the field.
                  onMouseDown={event => event.preventDefault()}
                  // Not onPointerEnter: the list may move under a resting pointer.
                  onPointerMove={() => setMarked(option.key)}
                  onClick={() => onChoose(option)}
                >
                  <Icon of={option.icon} />
                  <span className="grow truncate">
                    <bdi>{option.label}</bdi>
                    {option.detail && (
                      <span className="ink3">
                        {' / '}
                        <bdi>{option.detail}</bdi>
                      </span>
                    )}
                  </span>
                  <span className="kbd" dir="ltr" data-keys="↵" aria-hidden="true" />
                </button>
              ))}
            </div>
          ))}
        </div>
      )}
    </dialog>
  )
}
