import type { ReactNode } from 'react'
import { Skeleton } from './Skeleton.tsx'
import './description-list.css'
import './card.css'

export interface DescriptionItem {
  key: string
  label: ReactNode
  value: ReactNode
  /** Text below the value, for example its unit or the next payment. */
  note?: ReactNode
}

/** Read-only facts: up to four columns in one card. */
export function DescriptionList({ label, facts }: { label: string; facts: readonly DescriptionItem[] }) {
  return (
    <section className="card" aria-label={label}>
      <dl className="facts">
        {facts.map(({ key, label, value, note }) => (
          <div key={key}>
            <dt className="t13 ink3">{label}</dt>
            <dd className="facts__value">{value}</dd>
            {note && <dd className="t13 ink2">{note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}

/** The same card as a skeleton. */
export function DescriptionListSkeleton({ keys }: { keys: readonly string[] }) {
  return (
    <div className="card facts">
      {keys.map(key => (
        <div key={key}>
          <span className="facts__bar">
            <Skeleton width="72px" />
          </span>
          <span className="facts__bar facts__bar--value">
            <Skeleton width="112px" height="16px" />
          </span>
          <span className="facts__bar">
            <Skeleton width="88px" />
          </span>
        </div>
      ))}
    </div>
  )
}
