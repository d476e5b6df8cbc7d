import Activity from 'lucide-react/icons/activity'
import UserPlus from 'lucide-react/icons/user-plus'
import { Chart } from '../chart/Chart.tsx'
import type { ChartPalette } from '../chart/chart-types.ts'
import { Sparkline } from '../chart/Sparkline.tsx'
import { StatRow, StatTile, StatTileSkeleton } from '../chart/StatTile.tsx'
import { Spec } from './Spec.tsx'

const TEXTS = {
  empty: 'No data to show',
  showTable: 'Show as a table',
  showChart: 'Show as a chart',
  category: 'Month',
}
const TICKS = new Intl.NumberFormat('en', {
  style: 'currency',
  currency: 'usd',
  minimumFractionDigits: 0,
  maximumFractionDigits: 1,
})
const REVENUE = {
  labels: ['Dec', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov'],
  series: [
    {
      label: 'Last 12 months',
      values: [28500, 30100, 31300, 30800, 34100, 35200, 38100, 39400, 41600, 42300, 45200, 48250],
    },
    {
      label: '12 months before',
      dashed: true,
      values: [18200, 19500, 19100, 21000, 22700, 22200, 24300, 25900, 25100, 27000, 27400, 28100],
    },
  ],
}
const SLICES = {
  labels: ['Free', 'Startup', 'Scale'],
  series: [{ label: 'Accounts', values: [540, 320, 90] }],
}
const PALETTES: readonly ChartPalette[] = ['blue', 'red', 'green', 'purple']
const money = (value: number) => `$${value.toLocaleString('en')}`

export function ChartSamples() {
  return (
    <>
      <Spec title="Stat tiles and sparklines" wide>
        <StatRow label="This month">
          <StatTile label="New sign-ups" value="312" icon={UserPlus} change="+12.4%" />
          <StatTile label="Trials converted" value="41" icon={Activity} change="-4.1%" />
          <StatTileSkeleton />
        </StatRow>
        <div className="grid-2">
          {PALETTES.map(palette => (
            <Sparkline key={palette} palette={palette} values={[3, 4, 3.5, 5, 6, 5, 7, 9]} label={palette} />
          ))}
        </div>
      </Spec>
      <div className="spec--wide">
        <Chart
          title="Revenue"
          type="line"
          label="Revenue by month"
          data={REVENUE}
          legend
          ticks={TICKS}
          format={money}
          texts={TEXTS}
        />
      </div>
      <Chart
        title="Bars"
        type="bar"
        label="Bars"
        data={REVENUE}
        palette="green"
        ticks={TICKS}
        texts={TEXTS}
      />
      <Chart title="Plans" type="donut" label="Accounts by plan" data={SLICES} legend texts={TEXTS} />
      <Chart
        title="Pie"
        type="pie"
        label="Accounts by plan"
        data={SLICES}
        palette="red"
        legend
        texts={TEXTS}
      />
      <Chart title="Loading" type="bar" label="On its way" data={undefined} texts={TEXTS} />
      <Chart title="Empty" type="line" label="Nothing" data={{ labels: [], series: [] }} texts={TEXTS} />
    </>
  )
}
