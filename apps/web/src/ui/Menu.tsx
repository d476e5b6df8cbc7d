import Check from 'lucide-react/icons/check'
import * as Radix from 'radix-ui/dropdown-menu'
import { type ReactElement, type ReactNode, useState } from 'react'
import { Icon, type IconType } from './Icon.tsx'
import { usePortal } from './portal.ts'
import './menu.css'

export interface MenuItem {
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

export interface MenuProps {
  /** A single button; it gets the menu's ARIA. */
  trigger: ReactElement
  entries: readonly MenuEntry[]
  label?: string
  /** Above the entries, not pressable: who one is. */
  head?: ReactNode
  align?: 'start' | 'end'
  width?: number
  onOpenChange?: (open: boolean) => void
}

export function Menu({ trigger, entries, label, head, align = 'end', width, onOpenChange }: MenuProps) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const container = usePortal(opener)
  return (
    // Not modal: the modal kind inserts a style element, which the content security policy refuses.
    <Radix.Root modal={false} dir={direction()} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild ref={setOpener}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content
          className="menu"
          align={align}
          sideOffset={6}
          collisionPadding={8}
          aria-label={label}
          style={width ? { width } : undefined}
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
