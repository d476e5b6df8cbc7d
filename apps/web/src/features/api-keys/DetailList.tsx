import type { ReactNode } from 'react'
import '../../ui/form/plan-picker.css'

/** Description list with the label at the start of the line and the value at its end. */
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
