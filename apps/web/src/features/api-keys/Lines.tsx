import type { ReactNode } from 'react'
import '../../ui/form/plan-picker.css'

/** Facts below each other: what it is at the start of the line, the value at its end. */
export function Lines({ lines }: { lines: readonly { label: string; value: ReactNode }[] }) {
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
