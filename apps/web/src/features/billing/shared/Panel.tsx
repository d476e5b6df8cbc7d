import { type ReactNode, useId } from 'react'
import { Card } from '../../../ui/base/Card.tsx'

type Props = { title: string; aside?: ReactNode; children: ReactNode }

/** A card with a heading. */
export function Panel({ title, aside, children }: Props) {
  const id = useId()
  return (
    <Card aria-labelledby={id}>
      <div className="card__head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      <div className="card__body stack">{children}</div>
    </Card>
  )
}
