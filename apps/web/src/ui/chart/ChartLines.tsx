import {
  CategoryScale,
  Chart,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  type Plugin,
  PointElement,
  type ScriptableContext,
  Tooltip,
} from 'chart.js'
import { ChartCanvas, type Drawing } from './ChartCanvas.tsx'
import { axes, type ChartFamily, type ChartLook, commonOptions, figures, type Kind } from './chart-config.ts'
import { type ChartPalette, paletteAt } from './chart-types.ts'

Chart.register(LineController, LineElement, PointElement, Filler, CategoryScale, LinearScale, Tooltip)

const family: ChartFamily = {
  Chart,
  configFor: (wishes, look) => ({
    type: 'line',
    data: figures(wishes.data, index => {
      const one = wishes.data.series[index]
      return lineLook(one?.palette ?? paletteAt(wishes.palette, index), one?.dashed, look)
    }),
    options: { ...commonOptions(wishes, look, false), scales: axes(wishes, look) },
    plugins: [hoverLine(look)],
  }),
}

/** Loaded on demand by Chart. */
export function ChartLines(props: Drawing) {
  return <ChartCanvas {...props} family={family} />
}

function lineLook(color: ChartPalette, dashed: boolean | undefined, look: ChartLook) {
  const line = look.token(`chart-${color}`)
  return {
    borderColor: line,
    borderWidth: dashed ? 1.5 : 2,
    borderDash: dashed ? [4, 4] : [],
    cubicInterpolationMode: 'monotone',
    fill: !dashed,
    backgroundColor: (context: ScriptableContext<'line'>) =>
      fillGradient(context, look.token(`chart-${color}-wash`), `${line}00`),
    clip: 8,
    pointRadius: 0,
    pointHoverRadius: 5,
    pointHoverBorderWidth: 2,
    pointBackgroundColor: line,
    pointHoverBackgroundColor: line,
    pointHoverBorderColor: look.token('surface'),
  }
}

// A gradient that is strongest at the line.
function fillGradient(
  { chart }: ScriptableContext<'line'>,
  color: string,
  gone: string,
): CanvasGradient | string {
  if (!chart.chartArea) return color
  const gradient = chart.ctx.createLinearGradient(0, chart.chartArea.top, 0, chart.chartArea.bottom)
  gradient.addColorStop(0, color)
  // Not 'transparent', because canvas gradients would pass through grey.
  gradient.addColorStop(1, gone)
  return gradient
}

/** A vertical line through the hovered value. */
function hoverLine(look: ChartLook): Plugin<Kind> {
  return {
    id: 'hairline',
    beforeDatasetsDraw(chart) {
      const point = chart.tooltip?.getActiveElements()[0]?.element
      if (!point) return
      const { ctx, chartArea } = chart
      ctx.save()
      ctx.fillStyle = look.token('control')
      ctx.fillRect(Math.round(point.x), chartArea.top, 1, chartArea.bottom - chartArea.top)
      ctx.restore()
    },
  }
}
