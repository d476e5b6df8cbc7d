import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { initials } from './Avatar.tsx'
import { Breadcrumb } from './Breadcrumb.tsx'
import { Button } from './Button.tsx'
import { Chart } from './Chart.tsx'
import { Checkbox } from './Checkbox.tsx'
import { EmptyState } from './EmptyState.tsx'
import { Faces } from './Feedback.tsx'
import { LinkRenderer } from './Link.tsx'
import { Pagination } from './Pagination.tsx'
import { PlanPicker } from './PlanPicker.tsx'
import { Progress } from './Progress.tsx'
import { StatRow, StatTile } from './StatTile.tsx'
import { Switch } from './Switch.tsx'
import { Tabs } from './Tabs.tsx'

// The canvas needs a browser; what stands around it does not.
vi.mock('./ChartCanvas.tsx', () => ({ ChartCanvas: () => <canvas /> }))

const pagerTexts = {
  showing: (start: string, end: string, total: string) => `Showing ${start}-${end} of ${total}`,
  none: 'No Results',
  previous: 'Previous',
  next: 'Next',
}

test('a switch turns by press and by keyboard', async () => {
  function Setting() {
    const [on, setOn] = useState(false)
    return <Switch aria-label="Notices" checked={on} onChange={setOn} />
  }
  render(<Setting />)
  const control = screen.getByRole('switch', { name: 'Notices' })
  await userEvent.click(control)
  expect(control.getAttribute('aria-checked')).toBe('true')
  await userEvent.keyboard(' ')
  expect(control.getAttribute('aria-checked')).toBe('false')
})

test('a checkbox can stand for some', () => {
  render(<Checkbox label="All" mixed />)
  expect(screen.getByRole('checkbox', { name: 'All' })).toMatchObject({ indeterminate: true })
})

test('a plan is one of several radios and carries its price', async () => {
  const pick = vi.fn()
  const options = [
    { value: 'free', label: 'Free', price: '$0' },
    { value: 'startup', label: 'Startup', price: '$12' },
  ]
  render(<PlanPicker legend="Plan" options={options} value="free" onChange={pick} error="Choose a plan" />)
  expect(screen.getByRole('radio', { name: /Free/ })).toMatchObject({ checked: true })
  await userEvent.click(screen.getByText('$12'))
  expect(pick).toHaveBeenCalledWith('startup')
  expect(screen.getByRole('alert').textContent).toBe('Choose a plan')
})

test('pages are counted, and where there is nothing to go to nothing can be pressed', () => {
  render(<Pagination label="Pages" start={1} end={20} total={2000} onNext={() => {}} texts={pagerTexts} />)
  expect(screen.getByText('Showing 1-20 of 2,000')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Previous' })).toMatchObject({ disabled: true })
  expect(screen.getByRole('button', { name: 'Next' })).toMatchObject({ disabled: false })
})

test('who pages with the keys to an end goes on from the way back', () => {
  const pages = (ways: { onPrevious?: () => void; onNext?: () => void }) => (
    <Pagination label="Pages" start={1} end={20} total={40} texts={pagerTexts} {...ways} />
  )
  const go = () => {}
  const { rerender } = render(pages({ onPrevious: go, onNext: go }))
  const button = (name: string) => screen.getByRole('button', { name })
  button(pagerTexts.next).focus()
  rerender(pages({ onPrevious: go }))
  expect(button(pagerTexts.previous)).toHaveFocus()
  rerender(pages({ onNext: go }))
  expect(button(pagerTexts.next)).toHaveFocus()
})

test('no results are said', () => {
  render(<Pagination label="Pages" start={0} end={0} total={0} texts={pagerTexts} />)
  expect(screen.getByText('No Results')).toBeDefined()
})

test('progress counts to 100 unless told otherwise [part:progress] [const:progress.max]', () => {
  render(<Progress label="Seats" value={120} />)
  const bar = screen.getByRole('progressbar', { name: 'Seats' })
  expect([bar.getAttribute('aria-valuemax'), bar.getAttribute('aria-valuenow')]).toEqual(['100', '100'])
})

test('a change with a minus points down', () => {
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

test('tabs show one panel', async () => {
  const change = vi.fn()
  const items = [
    { value: 'plan', label: 'Plan', content: 'The plan.' },
    { value: 'card', label: 'Card', content: 'The card.' },
  ]
  render(<Tabs label="Billing" value="plan" onChange={change} items={items} />)
  expect(screen.getByRole('tabpanel', { name: 'Plan' }).textContent).toBe('The plan.')
  await userEvent.click(screen.getByRole('tab', { name: 'Card' }))
  expect(change).toHaveBeenCalledWith('card')
})

test('crumbs link back, the last one is where one is, and links are the application’s own [layout:breadcrumb]', () => {
  render(
    <LinkRenderer value={props => <a data-own="" {...props} />}>
      <Breadcrumb
        label="Breadcrumb"
        items={[{ name: 'API keys', url: '/account/apikeys' }, { name: 'Edit' }]}
      />
    </LinkRenderer>,
  )
  expect(screen.getByRole('link', { name: 'API keys' }).hasAttribute('data-own')).toBe(true)
  expect(screen.getByText('Edit').getAttribute('aria-current')).toBe('page')
})

test('arrows move through the faces', async () => {
  const pick = vi.fn()
  const Icon = vi.fn(() => null) as never // a drawing is not what is tested
  const faces = ['positive', 'neutral', 'negative'].map(value => ({ value, label: value, icon: Icon }))
  render(<Faces label="How is it" faces={faces} value="positive" onChange={pick} />)
  screen.getByRole('radio', { name: 'positive' }).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(pick).toHaveBeenCalledWith('neutral')
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'neutral' }))
})

test('a chart is named, and its figures are a table behind a button', async () => {
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

test('[part:chart.types] a sparkline is a line alone, with its words', () => {
  const texts = { empty: '', showTable: '', showChart: '', category: '' }
  const data = { labels: ['Oct', 'Nov'], series: [{ label: 'Revenue', values: [3, 5] }] }
  render(<Chart title="Revenue" type="sparkline" label="Rising" data={data} texts={texts} />)
  expect(screen.getByRole('img', { name: 'Rising' }).tagName).toBe('svg')
  expect(screen.queryByRole('heading')).toBeNull()
})

test('[const:chart.legend] a chart has no legend unless it is asked for', () => {
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

test('an empty chart says so', () => {
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

test.each([
  ['Mara Aldous', 'MA'],
  ['Claire Beaumont-Fitzgerald de la Roche', 'CR'],
  ['mara', 'MA'],
  ['', ''],
])('the initials of %j are %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})

test('the focus stays on the button of an empty place while its words change', () => {
  const place = (title: string) => (
    <div className="card">
      <input type="search" />
      <EmptyState title={title} action={<Button>Try again</Button>} />
    </div>
  )
  const { rerender } = render(place('Nothing came'))
  screen.getByRole('button', { name: 'Try again' }).focus()
  const moved = vi.fn()
  document.addEventListener('focusin', moved)
  onTestFinished(() => document.removeEventListener('focusin', moved))
  rerender(place('Still nothing'))
  expect(moved).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus()
})
