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
  /** How axis figures are written. */
  ticks?: Intl.NumberFormat
  format: (value: number) => string
}

/** What stands on a page. */
export type DrawnChart = Pick<Chart<Kind>, 'data' | 'options' | 'update' | 'destroy'>

/**
 * One way of drawing, with the part of the library that it takes and no more. Each is a chunk with its own copy of
 * the library's main file (plugins/chart-families.ts), since one module can't be cut in two.
 */
export interface ChartFamily {
  // Of one kind, as its settings are: of any kind, a compiler tires of comparing them.
  Chart: new (
    canvas: HTMLCanvasElement,
    config: ChartConfiguration<Kind>,
  ) => DrawnChart
  configFor: (wishes: ChartWishes, look: ChartLook) => ChartConfiguration<Kind>
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

/** The figures as the library takes them, each series with its looks. */
export function figures(data: ChartData, lookOf: (index: number) => object) {
  return {
    labels: [...data.labels],
    datasets: data.series.map((one, index) => ({
      label: one.label,
      data: [...one.values],
      ...lookOf(index),
    })) as ChartDataset<Kind>[], // the looks fit their kind
  }
}

/** What every chart does: it fills its box, glides, and tells the figure that is pointed at. */
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

/** Months across, round steps upwards. */
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
        callback: value => shortTick(Number(value), ticks),
      },
    },
  }
}

// A plain square; the library's own has a frame in it.
function swatch(border: unknown, fill: unknown, index: number, round: boolean) {
  const picked = round && Array.isArray(fill) ? fill[index] : (border ?? fill)
  const color = typeof picked === 'string' ? picked : 'currentColor'
  return { borderColor: color, backgroundColor: color, borderWidth: 0, borderRadius: 2 }
}
