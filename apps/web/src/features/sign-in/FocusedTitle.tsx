import type { ReactNode } from 'react'
import { takeFocus } from '../../lib/take-focus.ts'

/** Focuses the title when it replaces a pressed button, so that screen readers read it. */
export function FocusedTitle({ when, children }: { when: boolean; children: ReactNode }) {
  if (!when) return children
  return (
    <span className="outline-0" tabIndex={-1} ref={takeFocus}>
      {children}
    </span>
  )
}
