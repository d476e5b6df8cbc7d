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
  /** A single button; it gets the menu's ARIA and what opens it. */
  trigger: ReactElement<Trigger>
  onOpenChange?: (open: boolean) => void
}

let fetched: List | null = null

async function fetchList(): Promise<List> {
  fetched = (await import('./MenuList.tsx')).MenuList
  return fetched
}

/**
 * A button and, from the first time it is pointed at, focused or pressed, what opens below it: most pages are left
 * without any menu having been opened. A press that comes before the code opens the menu when it is there.
 */
export function Menu({ trigger, onOpenChange, ...list }: MenuProps) {
  const id = useId()
  const [List, setList] = useState<List | null>(null)
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const [open, setOpen] = useState(false)
  // As of now, also for a fetch that fails later.
  const latest = useRef(false)
  const [early, setEarly] = useState(false)
  const shown = open && List !== null

  function wake(event: SyntheticEvent<HTMLElement>): void {
    setOpener(event.currentTarget)
    if (fetched) setList(() => fetched)
    else void fetchList().then(found => setList(() => found), giveUp)
  }
  function giveUp(error: unknown): void {
    // The page works on without it; the next press tries again.
    console.error(error)
    turn(false)
  }
  function turn(next: boolean): void {
    if (next === latest.current) return
    latest.current = next
    setOpen(next)
    onOpenChange?.(next)
  }

  function press(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0 || event.ctrlKey) return
    // The focus goes into the menu, not to the button first.
    if (!open) event.preventDefault()
    setEarly(false)
    wake(event)
    turn(!open)
  }
  function strike(event: KeyboardEvent<HTMLElement>): void {
    if (!['Enter', ' ', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    setEarly(!List)
    wake(event)
    turn(event.key === 'ArrowDown' || !open)
  }

  const button = cloneElement(trigger, {
    id: trigger.props.id ?? `${id}opener`,
    'aria-haspopup': 'menu',
    'aria-expanded': shown,
    'aria-controls': shown ? `${id}menu` : undefined,
    'data-state': shown ? 'open' : 'closed',
    onPointerEnter: wake,
    onFocus: wake,
    onPointerDown: press,
    onKeyDown: strike,
    // Assistive technology presses without pointer or key.
    onClick: event => {
      if (event.detail !== 0) return
      wake(event)
      turn(true)
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
          onOpenChange={turn}
          startAtFirst={early}
        />
      )}
    </>
  )
}
