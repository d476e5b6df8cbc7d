import ChartColumn from 'lucide-react/icons/chart-column'
import ChartLine from 'lucide-react/icons/chart-line'
import Table2 from 'lucide-react/icons/table-2'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../base/Button.tsx'
import { EmptyState } from '../base/EmptyState.tsx'
import { Icon } from '../base/Icon.tsx'
import { ChartTable } from './ChartTable.tsx'
import { type ChartData, type ChartPalette, type ChartType, paletteAt } from './chart-types.ts'
import { Sparkline } from './Sparkline.tsx'
import './chart.css'
import '../base/card.css'

const Lines = lazy(() => import('./ChartLines.tsx').then(module => ({ default: module.ChartLines })))
const Bars = lazy(() => import('./ChartBars.tsx').then(module => ({ default: module.ChartBars })))
const Slices = lazy(() => import('./ChartSlices.tsx').then(module => ({ default: module.ChartSlices })))
const drawings = { line: Lines, bar: Bars, pie: Slices, donut: Slices }

export interface ChartProps {
  title: string
  type: ChartType
  /** Undefined while loading. */
  data: ChartData | undefined
  palette?: ChartPalette
  /** Describes the chart for screen readers. */
  label: string
  legend?: boolean
  /** Format of the axis values. Keep the same object between renders, or the chart is redrawn. */
  ticks?: Intl.NumberFormat
  /** Format of the values in tooltip and table. */
  format?: (value: number) => string
  texts: { empty: string; showTable: string; showChart: string; category: string }
  actions?: ReactNode
}

/** A card with a chart and a button that shows the values as a table. */
export function Chart(props: ChartProps) {
  const {
    title,
    type,
    data,
    palette = 'blue',
    label,
    legend = false,
    ticks,
    format = String,
    texts,
    actions,
  } = props
  const [asTable, setAsTable] = useState(false)
  const empty = data && !data.series.some(one => one.values.length > 0)
  const slices = type === 'pie' || type === 'donut'

  if (type === 'sparkline') {
    return <Sparkline values={data?.series[0]?.values ?? []} palette={palette} label={label} />
  }
  const Drawing = drawings[type]
  return (
    <section className="card" aria-label={title}>
      <div className="card__head chart-head">
        <h2>{title}</h2>
        {legend && data && !empty && <Legend data={data} palette={palette} slices={slices} />}
        {actions}
        {data && !empty && (
          <Button
            variant="ghost"
            size="sm"
            square
            aria-label={asTable ? texts.showChart : texts.showTable}
            aria-pressed={asTable}
            icon={<Icon of={asTable ? ChartLine : Table2} />}
            onClick={() => setAsTable(!asTable)}
          />
        )}
      </div>
      {empty && <EmptyState icon={ChartColumn} title={texts.empty} level={3} />}
      {!empty && asTable && data && (
        <ChartTable title={title} category={texts.category} data={data} format={format} />
      )}
      {!empty && !asTable && (
        <div className="chart">
          <div
            className={slices ? 'chart__box chart__box--bare' : 'chart__box'}
            role="img"
            aria-label={label}
          >
            {data && (
              <Suspense>
                <Drawing type={type} data={data} palette={palette} ticks={ticks} format={format} />
              </Suspense>
            )}
          </div>
        </div>
      )}
    </section>
  )
}

function Legend({ data, palette, slices }: { data: ChartData; palette: ChartPalette; slices: boolean }) {
  const entries = slices
    ? data.labels.map(label => ({ label, palette: undefined, dashed: false }))
    : data.series
  return (
    <div className="legend">
      {entries.map((one, index) => (
        <span key={one.label}>
          <i
            className={one.dashed ? 'dash' : undefined}
            style={{ color: `var(--chart-${one.palette ?? paletteAt(palette, index)})` }}
          />
          {one.label}
        </span>
      ))}
    </div>
  )
}
