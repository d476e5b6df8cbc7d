import type { ReactNode } from 'react'
import './kbd.css'

/** A key of the keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return (
    <span className="kbd" dir="ltr">
      {children}
    </span>
  )
}
