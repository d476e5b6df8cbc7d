import { render } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { declared } from '../../../test/css.ts'
import { ChartBars } from './ChartBars.tsx'
import { ChartLines } from './ChartLines.tsx'
import { ChartSlices } from './ChartSlices.tsx'
import type { ChartLook, ChartWishes, commonOptions, Kind } from './chart-config.ts'

/** The config of each chart kind, captured because the library needs a real canvas. */
const families = vi.hoisted(() => new Map<string, (wishes: ChartWishes, look: ChartLook) => unknown>())
vi.mock('./ChartCanvas.tsx', () => ({
  ChartCanvas: (props: {
    type: string
    family: { configFor: (w: ChartWishes, l: ChartLook) => unknown }
  }) => {
    families.set(props.type, props.family.configFor)
    return null
  },
}))

const look: ChartLook = { token: name => `var:${name}`, font: 'Inter', rtl: false, still: false }
const data = { labels: ['Oct', 'Nov'], series: [{ label: 'Revenue', values: [45_200, 1_500_000] }] }
const wishes = (type: ChartWishes['type']): ChartWishes => ({ type, data, palette: 'blue', format: String })

type Config = {
  type: Kind
  data: { datasets: Record<string, unknown>[] }
  options: ReturnType<typeof commonOptions> & {
    cutout?: string
    scales: Record<string, Record<string, never>>
  }
}
const drawings = { line: ChartLines, bar: ChartBars, pie: ChartSlices, donut: ChartSlices }

function configOf(type: ChartWishes['type'], as: ChartLook = look): Config {
  const Drawing = drawings[type]
  render(<Drawing {...wishes(type)} />)
  return families.get(type)?.(wishes(type), as) as Config // as: the parts of the config that the tests read
}
const TYPES = ['line', 'bar', 'pie', 'donut'] as const

test.each([
  ['line', 'line'],
  ['bar', 'bar'],
  ['pie', 'pie'],
  ['donut', 'doughnut'],
] as const)('[part:chart.types] a %s is drawn as the library’s %s', (type, kind) => {
  const config = configOf(type)
  expect(config.type).toBe(kind)
  expect(config.data.datasets).toMatchObject([{ label: 'Revenue', data: [45_200, 1_500_000] }])
  expect(config.options.cutout).toBe(type === 'donut' ? '68%' : undefined)
})

describe.each(TYPES)('every chart: %s', type => {
  test('[const:chart.animation] animates for one second with ease-out, except with reduced motion', () => {
    expect(configOf(type).options.animation).toEqual({ duration: 1000, easing: 'easeOutQuart' })
    expect(configOf(type, { ...look, still: true }).options.animation).toBe(false)
  })

  test('[const:chart.tooltip] the tooltip is dark in both themes', () => {
    const { plugins } = configOf(type).options
    expect(plugins?.tooltip).toMatchObject({ backgroundColor: 'var:chart-tip' })
    for (const theme of [':root', '.dark']) {
      const color = declared('styles/tokens.css', theme)['--chart-tip'] ?? ''
      const parts = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16))
      expect(Math.max(...parts), color).toBeLessThan(80)
    }
  })

  test('[const:chart.legend] the library’s own legend is off', () => {
    expect(configOf(type).options.plugins?.legend).toEqual({ display: false })
  })
})

test('[const:chart.bars] bars take 0.8 of their category and 0.9 of their bar width', () => {
  expect(configOf('bar').data.datasets).toMatchObject([{ categoryPercentage: 0.8, barPercentage: 0.9 }])
})

test.each(['line', 'bar'] as const)(
  '[const:chart.axis-font] the axis labels of a %s have the font size 11',
  type => {
    const { scales } = configOf(type).options
    expect(scales).toMatchObject({
      x: { ticks: { font: { size: 11 } } },
      y: { ticks: { font: { size: 11 } } },
    })
  },
)

test('[const:chart.dark-axes] the axes are white in dark mode', () => {
  const { scales } = configOf('line').options
  expect(scales).toMatchObject({
    x: { ticks: { color: 'var:chart-axis' } },
    y: { ticks: { color: 'var:chart-axis' } },
  })
  expect(declared('styles/tokens.css', '.dark')['--chart-axis']).toBe('#ffffff')
})

test('[const:chart.height] the plot is about 13.5em high and at least 10rem', () => {
  expect(declared('ui/chart/chart.css', '.chart__box--bare').height).toBe('max(13.5rem, 10rem)')
  // The axis labels below the plot add to the height.
  expect(declared('ui/chart/chart.css', '.chart__box').height).toBe('max(15.25rem, 10rem)')
})

test('right to left: time starts on the right, and so does the value axis', () => {
  const { scales, plugins } = configOf('line', { ...look, rtl: true }).options
  expect(scales).toMatchObject({ x: { reverse: true }, y: { position: 'right' } })
  expect(plugins?.tooltip).toMatchObject({ rtl: true })
})
