import type { ReactNode } from 'react'
import { Avatar, type AvatarProps } from '../base/Avatar.tsx'
import './table.css'

interface Props extends AvatarProps {
  /** A small note beside the name: "(you)". */
  note?: ReactNode
  /** Second line on phones, where its column is hidden. */
  cardLine?: ReactNode
}

/** A table cell with avatar and name. */
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
