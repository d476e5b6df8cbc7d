import { ArcElement, Chart, DoughnutController, PieController, Tooltip } from 'chart.js'
import { ChartCanvas, type Drawing } from './ChartCanvas.tsx'
import { type ChartFamily, type ChartLook, commonOptions, figures } from './chart-config.ts'
import { type ChartPalette, paletteAt } from './chart-types.ts'

Chart.register(PieController, DoughnutController, ArcElement, Tooltip)

const family: ChartFamily = {
  Chart,
  configFor: (wishes, look) => ({
    type: wishes.type === 'donut' ? 'doughnut' : 'pie',
    data: figures(wishes.data, () => sliceLook(wishes.data.labels.length, wishes.palette, look)),
    options: {
      ...commonOptions(wishes, look, true),
      ...(wishes.type === 'donut' ? { cutout: '68%' } : {}),
      scales: {},
    },
  }),
}

/** Loaded on demand by Chart. */
export function ChartSlices(props: Drawing) {
  return <ChartCanvas {...props} family={family} />
}

const sliceLook = (count: number, first: ChartPalette, look: ChartLook) => ({
  // After four slices the colours repeat with lower opacity.
  backgroundColor: Array.from({ length: count }, (_, index) => {
    const alpha = ['', 'aa', '66'][Math.floor(index / 4)] ?? '44'
    return look.token(`chart-${paletteAt(first, index)}`) + alpha
  }),
  borderColor: look.token('surface'),
  borderWidth: 2,
})
