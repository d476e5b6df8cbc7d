import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import type { ReactNode } from 'react'
import { Icon, type IconType } from '../base/Icon.tsx'
import { Skeleton } from '../base/Skeleton.tsx'
import { isDecrease } from './trend.ts'
import '../base/card.css'
import './stat-tile.css'

export interface StatTileProps {
  label: string
  value: ReactNode
  icon?: IconType
  /** A signed text: "+8.2%", "−4.1%". */
  change?: string
}

export function StatTile({ label, value, icon, change }: StatTileProps) {
  return (
    <div className="stat">
      <dt className="stat__label">
        {label}
        {icon && <Icon of={icon} />}
      </dt>
      <dd className="stat__row">
        <span className="stat__value">
          <span className="ltr">{value}</span>
        </span>
        {change && (
          <span className={isDecrease(change) ? 'delta delta--down' : 'delta delta--up'}>
            <Icon of={isDecrease(change) ? ArrowDown : ArrowUp} size={12} />
            <span className="ltr">{change.replace('-', '−')}</span>
          </span>
        )}
      </dd>
    </div>
  )
}

/** Up to four tiles in one card. */
export function StatRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className="card stats-place" aria-label={label}>
      <dl className="stats">{children}</dl>
    </section>
  )
}

export function StatTileSkeleton() {
  return (
    <div className="stat" aria-busy="true">
      <dt className="stat__label stat__label--sk">
        <Skeleton width="96px" />
        <Skeleton width="16px" height="16px" />
      </dt>
      <dd className="stat__row stat__row--sk">
        <Skeleton width="112px" height="24px" />
        <Skeleton width="44px" />
      </dd>
    </div>
  )
}
