import type { ReactNode } from 'react'
import { Avatar, type AvatarProps } from '../base/Avatar.tsx'
import './table.css'

interface Props extends AvatarProps {
  /** Beside the name, quietly: "(you)". */
  note?: ReactNode
  /** The second line, on a phone only: there the column that holds it is hidden. */
  cardLine?: ReactNode
}

/** The first cell of a row that is a person. */
export function PersonCell({ note, cardLine, ...avatar }: Props) {
  return (
    <span className="who">
      <Avatar {...avatar} />
      <span>
        <b dir="auto" title={avatar.name}>
          {avatar.name}
        </b>
        {note && <span className="ink3 t13"> {note}</span>}
        {cardLine && <span className="in-cards t13 ink3">{cardLine}</span>}
      </span>
    </span>
  )
}
