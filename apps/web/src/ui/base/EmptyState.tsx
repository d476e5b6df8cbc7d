import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Icon, type IconType } from './Icon.tsx'
import { focusOn, isLost } from './restore-focus.ts'
import './empty-state.css'

export interface EmptyStateProps {
  icon?: IconType
  title: ReactNode
  /** Explains what will appear here. */
  children?: ReactNode
  action?: ReactNode
  level?: 2 | 3
}

export function EmptyState({ icon, title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  const container = useRef<HTMLDivElement>(null)
  const focused = useRef<Element>(null)

  // The focused button can disappear when the text changes. No event reports this, so check after each
  // render.
  useLayoutEffect(() => {
    if (!focused.current || focused.current.isConnected) return
    focused.current = null
    if (container.current && isLost()) moveFocusOut(container.current)
  })

  // The pressed button disappears with the empty state.
  useLayoutEffect(() => {
    const node = container.current
    return () => {
      if (node?.contains(document.activeElement)) moveFocusOut(node)
    }
  }, [])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only tracks the focus
    <div
      className="blank"
      ref={container}
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

/** Focuses the search field of the surrounding card, or the surrounding focusable element. */
function moveFocusOut(node: HTMLElement): void {
  const card = node.closest('.card')
  if (card?.querySelector('input[type=search]')) focusOn(card)
  else node.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true })
}
