import type { ComponentProps } from 'react'
import type { Lost } from './Lost.tsx'
import { Mark } from './Mark.tsx'
import './lost.css'

/** The same inside a frame, which has the page's main part and its h1. */
export function LostInside({ title, children, action }: ComponentProps<typeof Lost>) {
  return (
    <div className="lost lost--inside">
      <Mark size={48} lost />
      <h2 className="t20">{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}
