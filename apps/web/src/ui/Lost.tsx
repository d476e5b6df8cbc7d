import type { ReactNode } from 'react'
import { Mark } from './Mark.tsx'

/** The mark has lost its cap. One sentence, one way on. */
export function Lost({
  title,
  children,
  action,
}: {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <main className="lost">
      <Mark size={48} lost />
      <h1 className="t20">{title}</h1>
      {children && <p>{children}</p>}
      {action}
    </main>
  )
}
