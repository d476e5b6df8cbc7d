import ArrowRight from 'lucide-react/icons/arrow-right'
import type { ReactNode } from 'react'
import { Icon, type IconType } from '../base/Icon.tsx'
import { Link } from '../base/Link.tsx'
import '../base/card.css'
import './nav-tile.css'

export interface NavTileProps {
  href: string
  icon: IconType
  title: ReactNode
  text: ReactNode
  /** The action on the target page, for example "Edit profile". */
  go: ReactNode
  /** 3 below a group heading, 2 otherwise. */
  level?: 2 | 3
}

export function NavTile({ href, icon, title, text, go, level = 3 }: NavTileProps) {
  const Heading = level === 3 ? 'h3' : 'h2'
  return (
    <Link className="card tile" href={href}>
      <Icon of={icon} size={20} />
      <Heading className="h2">{title}</Heading>
      <p>{text}</p>
      <span className="tile__go">
        <span>{go}</span>
        <Icon of={ArrowRight} flip />
      </span>
    </Link>
  )
}

/** At most four in a row. */
export function NavTiles({ children }: { children: ReactNode }) {
  return <div className="tiles">{children}</div>
}
