import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Chart } from './Chart.tsx'
import { StatRow, StatTile } from './StatTile.tsx'

vi.mock('../chart/ChartCanvas.tsx', () => ({ ChartCanvas: () => <canvas /> }))

test('a change with a minus has a down arrow', () => {
  const { container } = render(
    <StatRow label="This month">
      <StatTile label="Sign-ups" value="312" change="+12.4%" />
      <StatTile label="Trials" value="41" change="-4.1%" />
    </StatRow>,
  )
  expect([...container.querySelectorAll('.delta')].map(one => [one.className, one.textContent])).toEqual([
    ['delta delta--up', '+12.4%'],
    ['delta delta--down', '−4.1%'],
  ])
})

test('a chart has a name and shows its values as a table on request', async () => {
  const texts = {
    empty: 'No data to show',
    showTable: 'Show as a table',
    showChart: 'Show as a chart',
    category: 'Month',
  }
  const data = { labels: ['Oct', 'Nov'], series: [{ label: 'Revenue', values: [45200, 48250] }] }
  const format = (value: number) => `$${value}`
  render(
    <Chart title="Revenue" type="line" label="Revenue by month" data={data} format={format} texts={texts} />,
  )
  expect(screen.getByRole('img', { name: 'Revenue by month' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Show as a table' }))
  expect(screen.getByRole('cell', { name: '$48250' })).toBeDefined()
  expect(screen.queryByRole('img')).toBeNull()
})

test('[part:chart.types] a sparkline shows only a line with a label', () => {
  const texts = { empty: '', showTable: '', showChart: '', category: '' }
  const data = { labels: ['Oct', 'Nov'], series: [{ label: 'Revenue', values: [3, 5] }] }
  render(<Chart title="Revenue" type="sparkline" label="Rising" data={data} texts={texts} />)
  expect(screen.getByRole('img', { name: 'Rising' }).tagName).toBe('svg')
  expect(screen.queryByRole('heading')).toBeNull()
})

test('[const:chart.legend] a chart has no legend by default', () => {
  const texts = { empty: '', showTable: 'Show as a table', showChart: '', category: '' }
  const data = { labels: ['Oct', 'Nov'], series: [{ label: 'Last year', values: [3, 5] }] }
  const chart = (legend?: boolean) => (
    <Chart title="Revenue" type="bar" label="Revenue" data={data} texts={texts} legend={legend} />
  )
  const { rerender } = render(chart())
  expect(screen.queryByText('Last year')).toBeNull()
  rerender(chart(true))
  expect(screen.getByText('Last year')).toBeDefined()
})

test('an empty chart shows a message', () => {
  const texts = {
    empty: 'No data to show',
    showTable: 'Show as a table',
    showChart: 'Show as a chart',
    category: 'Month',
  }
  render(<Chart title="Revenue" type="bar" label="Revenue" data={{ labels: [], series: [] }} texts={texts} />)
  expect(screen.getByText('No data to show')).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
})
