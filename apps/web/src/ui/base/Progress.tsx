import './progress.css'

export interface ProgressProps {
  label: string
  value: number
  max?: number
  tone?: 'plain' | 'warning' | 'danger'
  /** Announced instead of a percentage, for example "640 of 1,000". */
  valueText?: string
}

export function Progress({ label, value, max = 100, tone = 'plain', valueText }: ProgressProps) {
  const share = max > 0 ? Math.min(100, Math.max(0, (value / max) * 100)) : 0
  return (
    <div
      className={tone === 'plain' ? 'progress' : `progress progress--${tone}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={valueText}
    >
      <span className="progress__bar" style={{ inlineSize: `${share}%` }} />
    </div>
  )
}
