import type { Chart, ChartConfiguration, ChartDataset, ChartOptions } from 'chart.js'
import { niceStep, shortTick } from './chart-format.ts'
import type { ChartData, ChartPalette } from './chart-types.ts'

export interface ChartLook {
  token: (name: string) => string
  font: string
  rtl: boolean
  still: boolean
}

export type Kind = 'line' | 'bar' | 'pie' | 'doughnut'

export interface ChartWishes {
  type: 'line' | 'bar' | 'pie' | 'donut'
  data: ChartData
  palette: ChartPalette
  /** Format of the axis values. */
  ticks?: Intl.NumberFormat
  format: (value: number) => string
}

/** The methods of the chart that we use. */
export type DrawnChart = Pick<Chart<Kind>, 'data' | 'options' | 'update' | 'destroy'>

/**
 * A kind of chart with the parts of the library that it needs. Each kind is a chunk with its own copy of the
 * library's main file (see plugins/chart-families.ts).
 */
export interface ChartFamily {
  // A type of our own, because checking Chart for every kind takes the compiler too long.
  Chart: new (
    canvas: HTMLCanvasElement,
    config: ChartConfiguration<Kind>,
  ) => DrawnChart
  configFor: (wishes: ChartWishes, look: ChartLook) => ChartConfiguration<Kind>
}

/** Colours come from CSS variables, so that CSS and canvas use the same values. */
export function readLook(element: Element, root: string): ChartLook {
  const style = getComputedStyle(element)
  return {
    token: name => style.getPropertyValue(`--${name}`).trim(),
    font: style.fontFamily,
    rtl: root.endsWith('rtl'),
    still: matchMedia('(prefers-reduced-motion: reduce)').matches,
  }
}

/** The values in the library's format, with the style of each series. */
export function figures(data: ChartData, lookOf: (index: number) => object) {
  return {
    labels: [...data.labels],
    datasets: data.series.map((one, index) => ({
      label: one.label,
      data: [...one.values],
      ...lookOf(index),
    })) as ChartDataset<Kind>[], // as: each style fits its kind of chart
  }
}

/** Options of every chart: size, animation and tooltip. */
export function commonOptions({ format }: ChartWishes, look: ChartLook, round: boolean): ChartOptions<Kind> {
  return {
    responsive: true,
    maintainAspectRatio: false,
    layout: { autoPadding: false },
    animation: look.still ? false : { duration: 1000, easing: 'easeOutQuart' },
    interaction: { mode: round ? 'nearest' : 'index', intersect: round },
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

/** Categories on the x axis, rounded steps on the y axis. */
export function axes({ type, data, ticks }: ChartWishes, look: ChartLook): ChartOptions<Kind>['scales'] {
  const step = niceStep(data.series.flatMap(one => one.values))
  const axis = { color: look.token('chart-axis'), font: { size: 11, family: look.font } }
  return {
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
      // The library adds padding that the card already has.
      afterFit: scale => {
        scale.width -= 10
      },
      border: { display: false },
      grid: { color: look.token('chart-grid'), drawTicks: false },
      ticks: {
        ...axis,
        ...(step ? { count: 5 } : { maxTicksLimit: 5 }),
        padding: 12,
        callback: value => shortTick(Number(value), ticks),
      },
    },
  }
}

// The library's own colour box has a border.
function swatch(border: unknown, fill: unknown, index: number, round: boolean) {
  const picked = round && Array.isArray(fill) ? fill[index] : (border ?? fill)
  const color = typeof picked === 'string' ? picked : 'currentColor'
  return { borderColor: color, backgroundColor: color, borderWidth: 0, borderRadius: 2 }
}
