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
  /** One of several that exclude each other, drawn with a check. */
  selected?: boolean
}

export type MenuEntry = MenuItem | { key: string; separator: true } | { key: string; heading: ReactNode }

export interface MenuListProps {
  id: string
  /** The button below which it opens and to which the focus returns. */
  opener: HTMLElement
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Opened by a key that was struck before this code was there to notice. */
  startAtFirst: boolean
  entries: readonly MenuEntry[]
  label?: string
  /** Above the entries, not pressable: who one is. */
  head?: ReactNode
  align?: 'start' | 'end'
  width?: number
}

/** What opens: fetched by Menu when it is likely to be needed. */
export function MenuList(props: MenuListProps) {
  const { id, opener, open, onOpenChange, startAtFirst, entries, label, head, align = 'end', width } = props
  const container = usePortal(opener)

  function enter(event: FocusEvent<HTMLElement>): void {
    if (!startAtFirst || event.target !== event.currentTarget) return
    event.currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus()
  }
  /** The library leaves this key to what came last, which may be a notification. */
  function leave({ key }: KeyboardEvent): void {
    if (key === 'Escape') onOpenChange(false)
  }
  return (
    // Not modal: the modal kind inserts a style element, which the content security policy refuses.
    <Radix.Root modal={false} dir={direction()} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>
        <StandIn of={opener} />
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
          onFocus={enter}
          onKeyDown={leave}
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

/** The library places the menu at its trigger and returns the focus there: the button that is on the page already. */
function StandIn({ of: opener, ref }: { of: HTMLElement; ref?: Ref<HTMLElement> }) {
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
