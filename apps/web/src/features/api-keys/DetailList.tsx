import type { ReactNode } from 'react'
import '../../ui/form/plan-picker.css'

/** Each line has its label at the start and its value at the end. */
export function DetailList({ lines }: { lines: readonly { label: string; value: ReactNode }[] }) {
  return (
    <dl className="lines t13">
      {lines.map(({ label, value }) => (
        <div key={label} className="flex-wrap gap-y-0">
          <dt>{label}</dt>
          <dd className="wrap-anywhere ms-auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
