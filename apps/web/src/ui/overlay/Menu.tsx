import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type PointerEvent,
  type ReactElement,
  type SyntheticEvent,
  useId,
  useRef,
  useState,
} from 'react'
import type { MenuList, MenuListProps } from './MenuList.tsx'

export type { MenuEntry } from './MenuList.tsx'

type List = typeof MenuList
type Trigger = ComponentProps<'button'> & { 'data-state'?: 'open' | 'closed' }

export interface MenuProps extends Pick<MenuListProps, 'entries' | 'label' | 'head' | 'align' | 'width'> {
  /** A single button; the menu adds its ARIA attributes and handlers. */
  trigger: ReactElement<Trigger>
  onOpenChange?: (open: boolean) => void
}

let fetched: List | null = null

async function fetchList(): Promise<List> {
  fetched = (await import('./MenuList.tsx')).MenuList
  return fetched
}

/**
 * A button with a menu. The menu's code loads on hover, focus or press, because most visits open no menu. A
 * press before it is loaded opens the menu afterwards.
 */
export function Menu({ trigger, onOpenChange, ...list }: MenuProps) {
  const id = useId()
  const [List, setList] = useState<List | null>(null)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [open, setOpen] = useState(false)
  // A ref, so that a failed load sees the current value.
  const latest = useRef(false)
  const [openedEarly, setOpenedEarly] = useState(false)
  const shown = open && List !== null

  function loadList(event: SyntheticEvent<HTMLElement>): void {
    setOpener(event.currentTarget)
    if (fetched) setList(() => fetched)
    else void fetchList().then(found => setList(() => found), onLoadFailed)
  }
  function onLoadFailed(error: unknown): void {
    // The page works without the menu; the next press tries again.
    console.error(error)
    changeOpen(false)
  }
  function changeOpen(next: boolean): void {
    if (next === latest.current) return
    latest.current = next
    setOpen(next)
    onOpenChange?.(next)
  }

  function handlePointer(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0 || event.ctrlKey) return
    // Moves the focus to the menu instead of the button.
    if (!open) event.preventDefault()
    setOpenedEarly(false)
    loadList(event)
    changeOpen(!open)
  }
  function handleKey(event: KeyboardEvent<HTMLElement>): void {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    setOpenedEarly(!List)
    loadList(event)
    changeOpen(event.key === 'ArrowDown' || !open)
  }

  const button = cloneElement(trigger, {
    id: trigger.props.id ?? `${id}opener`,
    'aria-haspopup': 'menu',
    'aria-expanded': shown,
    'aria-controls': shown ? `${id}menu` : undefined,
    'data-state': shown ? 'open' : 'closed',
    onPointerEnter: loadList,
    onFocus: loadList,
    onPointerDown: handlePointer,
    onKeyDown: handleKey,
    // Screen readers click without pointer or key events.
    onClick: event => {
      if (event.detail !== 0) return
      loadList(event)
      changeOpen(true)
    },
  })
  return (
    <>
      {button}
      {List && opener && (
        <List
          {...list}
          id={`${id}menu`}
          opener={opener}
          open={open}
          onOpenChange={changeOpen}
          startAtFirst={openedEarly}
        />
      )}
    </>
  )
}
