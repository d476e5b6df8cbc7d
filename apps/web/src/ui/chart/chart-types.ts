export type ChartPalette = 'blue' | 'red' | 'green' | 'purple'
export type ChartType = 'line' | 'bar' | 'pie' | 'donut' | 'sparkline'

export interface ChartSeries {
  label: string
  values: readonly number[]
  palette?: ChartPalette
  /** For a series to compare with. */
  dashed?: boolean
}

export interface ChartData {
  /** One label for each value. */
  labels: readonly string[]
  series: readonly ChartSeries[]
}

const ORDER: readonly ChartPalette[] = ['blue', 'purple', 'green', 'red']

/** The colour of the nth series or slice when the first has the given palette. */
export function paletteAt(first: ChartPalette, index: number): ChartPalette {
  return ORDER[(ORDER.indexOf(first) + index) % ORDER.length] ?? first
}
