import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from 'chart.js'
import { ChartCanvas, type Drawing } from './ChartCanvas.tsx'
import { axes, type ChartFamily, type ChartLook, commonOptions, figures } from './chart-config.ts'
import { type ChartPalette, paletteAt } from './chart-types.ts'

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip)

const family: ChartFamily = {
  Chart,
  configFor: (wishes, look) => ({
    type: 'bar',
    data: figures(wishes.data, index =>
      barLook(wishes.data.series[index]?.palette ?? paletteAt(wishes.palette, index), look),
    ),
    options: { ...commonOptions(wishes, look, false), scales: axes(wishes, look) },
  }),
}

/** Loaded on demand by Chart. */
export function ChartBars(props: Drawing) {
  return <ChartCanvas {...props} family={family} />
}

const barLook = (color: ChartPalette, look: ChartLook) => ({
  backgroundColor: look.token(`chart-${color}`),
  borderRadius: 4,
  categoryPercentage: 0.8,
  barPercentage: 0.9,
})
