import Check from 'lucide-react/icons/check'
import * as Radix from 'radix-ui/dropdown-menu'
import { type FocusEvent, type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle } from 'react'
import { Icon, type IconType } from '../base/Icon.tsx'
import { usePortal } from './portal.ts'
import './menu.css'

interface MenuItem {
  key: string
  label: ReactNode
  icon?: IconType
  onSelect: () => void
  danger?: boolean
  disabled?: boolean
  /** One of several exclusive options; shown with a check. */
  selected?: boolean
}

export type MenuEntry = MenuItem | { key: string; separator: true } | { key: string; heading: ReactNode }

export interface MenuListProps {
  id: string
  /** The button that opens the menu and gets the focus back. */
  opener: HTMLElement
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Opened by a key before this code was loaded: focus the first entry. */
  startAtFirst: boolean
  entries: readonly MenuEntry[]
  label?: string
  /** Shown above the entries, for example the signed-in user. */
  head?: ReactNode
  align?: 'start' | 'end'
  width?: number
}

/** The open menu; loaded by Menu. */
export function MenuList(props: MenuListProps) {
  const { id, opener, open, onOpenChange, startAtFirst, entries, label, head, align = 'end', width } = props
  const container = usePortal(opener)

  function focusFirst(event: FocusEvent<HTMLElement>): void {
    if (!startAtFirst || event.target !== event.currentTarget) return
    event.currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus()
  }
  /** The library sends Escape to the overlay opened last, which may be a toast. */
  function closeOnEscape({ key }: KeyboardEvent): void {
    if (key === 'Escape') onOpenChange(false)
  }
  return (
    // Not modal: the modal menu inserts a style element, which the Content Security Policy blocks.
    <Radix.Root modal={false} dir={direction()} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>
        <ExistingTrigger of={opener} />
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          id={id}
          data-opener={opener.id}
          className="menu"
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={label === undefined ? opener.id : undefined}
          style={width ? { width } : undefined}
          onFocus={focusFirst}
          onKeyDown={closeOnEscape}
        >
          {head && (
            <>
              <div className="menu__who">{head}</div>
              <Radix.Separator className="menu__sep" />
            </>
          )}
          {entries.map(entry => (
            <Entry key={entry.key} entry={entry} />
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Tells the library to use the existing button as the trigger, for position and focus. */
function ExistingTrigger({ of: opener, ref }: { of: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => opener, [opener])
  return null
}

function Entry({ entry }: { entry: MenuEntry }) {
  if ('separator' in entry) return <Radix.Separator className="menu__sep" />
  if ('heading' in entry) return <Radix.Label className="menu__label">{entry.heading}</Radix.Label>
  const { label, icon, onSelect, danger, disabled, selected } = entry
  const names = ['menu__item', danger && 'menu__item--danger', selected && 'is-selected']
    .filter(Boolean)
    .join(' ')
  const inner = (
    <>
      {icon && <Icon of={icon} />}
      <span className="grow">{label}</span>
      {selected && <Icon of={Check} />}
    </>
  )
  if (selected === undefined) {
    return (
      <Radix.Item className={names} disabled={disabled} onSelect={onSelect}>
        {inner}
      </Radix.Item>
    )
  }
  return (
    <Radix.CheckboxItem className={names} checked={selected} disabled={disabled} onSelect={onSelect}>
      {inner}
    </Radix.CheckboxItem>
  )
}

const direction = () => (document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr')
