import type { ChartConfiguration, ChartDataset, ChartOptions, Plugin, ScriptableContext } from 'chart.js'
import { niceStep, shortTick } from './chart-format.ts'
import { type ChartData, type ChartPalette, paletteAt } from './chart-types.ts'

export interface ChartLook {
  token: (name: string) => string
  font: string
  rtl: boolean
  still: boolean
}

type Kind = 'line' | 'bar' | 'pie' | 'doughnut'

interface Wishes {
  type: 'line' | 'bar' | 'pie' | 'donut'
  data: ChartData
  palette: ChartPalette
  unit?: string
  format: (value: number) => string
}

/** Colours come from the tokens, so that one set of values serves CSS and canvas. */
export function readLook(element: Element, root: string): ChartLook {
  const style = getComputedStyle(element)
  return {
    token: name => style.getPropertyValue(`--${name}`).trim(),
    font: style.fontFamily,
    rtl: root.endsWith('rtl'),
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  }
}

export function configFor(wishes: Wishes, look: ChartLook): ChartConfiguration<Kind> {
  const { type, data, palette } = wishes
  const kind: Kind = type === 'donut' ? 'doughnut' : type
  const round = kind === 'pie' || kind === 'doughnut'
  const datasets = data.series.map((one, index) => {
    const color = one.palette ?? paletteAt(palette, index)
    const base = { label: one.label, data: [...one.values] }
    if (round) return { ...base, ...sliceLook(data.labels.length, palette, look) }
    return kind === 'bar'
      ? { ...base, ...barLook(color, look) }
      : { ...base, ...lineLook(color, one.dashed, look) }
  })
  return {
    type: kind,
    data: { labels: [...data.labels], datasets: datasets as ChartDataset<Kind>[] }, // the three looks fit their kinds
    options: optionsFor(wishes, look, round),
    plugins: round || kind === 'bar' ? [] : [hairline(look)],
  }
}

function optionsFor(
  { type, data, unit, format }: Wishes,
  look: ChartLook,
  round: boolean,
): ChartOptions<Kind> {
  const step = niceStep(data.series.flatMap(one => one.values))
  const axis = { color: look.token('chart-axis'), font: { size: 11, family: look.font } }
  return {
    responsive: true,
    maintainAspectRatio: false,
    layout: { autoPadding: false },
    animation: look.still ? false : { duration: 1000, easing: 'easeOutQuart' },
    interaction: { mode: round ? 'nearest' : 'index', intersect: round },
    ...(type === 'donut' ? { cutout: '68%' } : {}),
    scales: round
      ? {}
      : {
          x: {
            reverse: look.rtl,
            border: { color: look.token('line-strong') },
            grid: { display: false },
            ticks: {
              ...axis,
              align: type === 'line' ? 'inner' : 'center',
              maxRotation: 0,
              autoSkipPadding: 16,
              padding: 8,
            },
          },
          y: {
            position: look.rtl ? 'right' : 'left',
            beginAtZero: true,
            ...(step ? { min: 0, max: step * 4 } : {}),
            // The library leaves as much room outside the figures as inside; the card has its own.
            afterFit: scale => {
              scale.width -= 10
            },
            border: { display: false },
            grid: { color: look.token('chart-grid'), drawTicks: false },
            ticks: {
              ...axis,
              ...(step ? { count: 5 } : { maxTicksLimit: 5 }),
              padding: 12,
              callback: value => shortTick(Number(value), unit),
            },
          },
        },
    plugins: {
      legend: { display: false },
      tooltip: {
        rtl: look.rtl,
        backgroundColor: look.token('chart-tip'),
        titleColor: look.token('chart-tip-ink'),
        bodyColor: look.token('chart-tip-ink'),
        titleFont: { size: 12, weight: 500, family: look.font },
        bodyFont: { size: 12, family: look.font },
        padding: { x: 12, y: 8 },
        cornerRadius: 8,
        boxWidth: 8,
        boxHeight: 8,
        boxPadding: 6,
        caretSize: 0,
        caretPadding: 16,
        usePointStyle: true,
        multiKeyBackground: 'transparent',
        callbacks: {
          labelPointStyle: () => ({ pointStyle: 'rectRounded', rotation: 0 }),
          labelColor: ({ dataset, dataIndex }) =>
            swatch(dataset.borderColor, dataset.backgroundColor, dataIndex, round),
          label: item => ` ${round ? item.label : item.dataset.label}  ${format(Number(item.raw))}`,
        },
      },
    },
  }
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
      wash(context, look.token(`chart-${color}-wash`), `${line}00`),
    clip: 8,
    pointRadius: 0,
    pointHoverRadius: 5,
    pointHoverBorderWidth: 2,
    pointBackgroundColor: line,
    pointHoverBackgroundColor: line,
    pointHoverBorderColor: look.token('surface'),
  }
}

const barLook = (color: ChartPalette, look: ChartLook) => ({
  backgroundColor: look.token(`chart-${color}`),
  borderRadius: 4,
  categoryPercentage: 0.8,
  barPercentage: 0.9,
})

const sliceLook = (count: number, first: ChartPalette, look: ChartLook) => ({
  // Past four slices the colours come round again, thinner each time; the hairline keeps neighbours apart.
  backgroundColor: Array.from({ length: count }, (_, index) => {
    const alpha = ['', 'aa', '66'][Math.floor(index / 4)] ?? '44'
    return look.token(`chart-${paletteAt(first, index)}`) + alpha
  }),
  borderColor: look.token('surface'),
  borderWidth: 2,
})

// Strongest under the line, gone at the ground.
function wash({ chart }: ScriptableContext<'line'>, color: string, gone: string): CanvasGradient | string {
  if (!chart.chartArea) return color
  const gradient = chart.ctx.createLinearGradient(0, chart.chartArea.top, 0, chart.chartArea.bottom)
  gradient.addColorStop(0, color)
  // Not 'transparent': a canvas would pass through grey on the way to it.
  gradient.addColorStop(1, gone)
  return gradient
}

// A plain square; the library's own has a frame in it.
function swatch(border: unknown, fill: unknown, index: number, round: boolean) {
  const picked = round && Array.isArray(fill) ? fill[index] : (border ?? fill)
  const color = typeof picked === 'string' ? picked : 'currentColor'
  return { borderColor: color, backgroundColor: color, borderWidth: 0, borderRadius: 2 }
}

/** The upright line through the pointed-at month. */
function hairline(look: ChartLook): Plugin<Kind> {
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
