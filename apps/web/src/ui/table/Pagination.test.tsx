import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Pagination } from './Pagination.tsx'

const pagerTexts = {
  showing: (start: string, end: string, total: string) => `Showing ${start}-${end} of ${total}`,
  none: 'No Results',
  previous: 'Previous',
  next: 'Next',
}

test('shows the range and disables the buttons at the ends', () => {
  render(<Pagination label="Pages" start={1} end={20} total={2000} onNext={() => {}} texts={pagerTexts} />)
  expect(screen.getByText('Showing 1-20 of 2,000')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Previous' })).toMatchObject({ disabled: true })
  expect(screen.getByRole('button', { name: 'Next' })).toMatchObject({ disabled: false })
})

test('at an end the focus moves to the other button', () => {
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

test('shows a text for no results', () => {
  render(<Pagination label="Pages" start={0} end={0} total={0} texts={pagerTexts} />)
  expect(screen.getByText('No Results')).toBeDefined()
})
