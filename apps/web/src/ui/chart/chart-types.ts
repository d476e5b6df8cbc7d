export type ChartPalette = 'blue' | 'red' | 'green' | 'purple'
export type ChartType = 'line' | 'bar' | 'pie' | 'donut' | 'sparkline'

export interface ChartSeries {
  label: string
  values: readonly number[]
  palette?: ChartPalette
  /** For what it is compared with. */
  dashed?: boolean
}

export interface ChartData {
  /** One for each value: months on the axis, slices of a pie. */
  labels: readonly string[]
  series: readonly ChartSeries[]
}

const ORDER: readonly ChartPalette[] = ['blue', 'purple', 'green', 'red']

/** The colour of the nth series or slice when the first one has the palette given. */
export function paletteAt(first: ChartPalette, index: number): ChartPalette {
  return ORDER[(ORDER.indexOf(first) + index) % ORDER.length] ?? first
}
