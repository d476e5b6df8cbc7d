import type { ChartPalette } from './chart-types.ts'
import './chart.css'

interface Props {
  values: readonly number[]
  palette?: ChartPalette
  /** Without it the line is decorative, beside a number. */
  label?: string
}

/** A small line chart without the chart library. */
export function Sparkline({ values, palette = 'blue', label }: Props) {
  const low = Math.min(...values)
  const span = Math.max(...values) - low || 1
  const step = 100 / Math.max(1, values.length - 1)
  const path = values.map(
    (value, index) => `${index ? 'L' : 'M'}${index * step} ${30 - ((value - low) / span) * 28}`,
  )
  return (
    <svg
      className="spark"
      viewBox="0 0 100 32"
      preserveAspectRatio="none"
      style={{ color: `var(--chart-${palette})` }}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      <path d={path.join('')} />
    </svg>
  )
}
