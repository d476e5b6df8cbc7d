import type { ReactNode } from 'react'
import { Icon, type IconType } from './Icon.tsx'
import './blank.css'

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
  return (
    <div className="blank" ref={passFocusOn}>
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

/** Its button, once pressed, often goes with it: the focus then goes on at what it stood in, not at the page's top. */
function passFocusOn(node: HTMLDivElement): () => void {
  const around = node.closest<HTMLElement>('[tabindex="-1"]')
  return () => {
    if (node.contains(document.activeElement)) around?.focus({ preventScroll: true })
  }
}
