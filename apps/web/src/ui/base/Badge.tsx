import type { ReactNode } from 'react'
import { TextSpan } from './TextSpan.tsx'
import './badge.css'

export type BadgeColor = 'blue' | 'red' | 'green' | 'orange' | 'neutral'

const CLASS: Record<BadgeColor, string> = {
  blue: 'badge badge--info',
  red: 'badge badge--danger',
  green: 'badge badge--success',
  orange: 'badge badge--warning',
  neutral: 'badge',
}

/** The text must say the same as the colour. */
export function Badge({ color = 'neutral', children }: { color?: BadgeColor; children: ReactNode }) {
  return <span className={CLASS[color]}>{children}</span>
}

export function PlanBadge({ slabs, children }: { slabs: 1 | 2 | 3; children: ReactNode }) {
  return (
    <span className="badge badge--plan">
      <Slabs filled={slabs} />
      <TextSpan>{children}</TextSpan>
    </span>
  )
}

/** The logo's three slabs, filled from the bottom up. */
export function Slabs({ filled }: { filled: 1 | 2 | 3 }) {
  return (
    <svg className="slabs" width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      <rect className={filled < 3 ? 'off' : undefined} x="2" y="1" width="8" height="2.5" rx=".5" />
      <rect className={filled < 2 ? 'off' : undefined} x="3.5" y="4.75" width="5" height="2.5" rx=".5" />
      <rect x="1" y="8.5" width="10" height="2.5" rx=".5" />
    </svg>
  )
}
