import type { ReactNode } from 'react'
import { takeFocus } from '../../lib/take-focus.ts'

/**
 * A title that gets the focus, and so is read, `when` it comes in the place of a button that was pressed; else just its
 * words.
 */
export function FocusedTitle({ when, children }: { when: boolean; children: ReactNode }) {
  if (!when) return children
  return (
    <span className="outline-0" tabIndex={-1} ref={takeFocus}>
      {children}
    </span>
  )
}
