import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Icon, type IconType } from './Icon.tsx'
import { focusOn, isLost } from './restore-focus.ts'
import './empty-state.css'

export interface EmptyStateProps {
  icon?: IconType
  title: ReactNode
  /** What belongs here. */
  children?: ReactNode
  /** One action, or none. */
  action?: ReactNode
  level?: 2 | 3
}

export function EmptyState({ icon, title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  const place = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)

  // Its words may change under a button that goes with them. The browser drops the focus in silence.
  useLayoutEffect(() => {
    if (!focused.current || focused.current.isConnected) return
    focused.current = null
    if (place.current && isLost()) passOn(place.current)
  })

  // With it goes its button, once pressed.
  useLayoutEffect(() => {
    const node = place.current
    return () => {
      if (node?.contains(document.activeElement)) passOn(node)
    }
  }, [])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only follows where the focus is
    <div
      className="blank"
      ref={place}
      onFocus={({ target }) => {
        focused.current = target
      }}
    >
      {icon && (
        <span className="blank__icon">
          <Icon of={icon} size={20} />
        </span>
      )}
      <Heading className="h2">{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

/** To the search of the table that it stood in, else to what it stood in; not to the page's top. */
function passOn(node: HTMLElement): void {
  const card = node.closest('.card')
  if (card?.querySelector('input[type=search]')) focusOn(card)
  else node.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
}
