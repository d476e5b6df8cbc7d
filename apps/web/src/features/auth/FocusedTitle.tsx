import type { ReactNode } from 'react'
import { takeFocus } from '../../lib/take-focus.ts'

/** The title of what comes in the place of a button that was pressed: the focus goes on there, and it is read. */
export function FocusedTitle({ children }: { children: ReactNode }) {
  return (
    <span className="outline-0" tabIndex={-1} ref={takeFocus}>
      {children}
    </span>
  )
}
