import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Pagination } from './Pagination.tsx'

const pagerTexts = {
  showing: (start: string, end: string, total: string) => `Showing ${start}-${end} of ${total}`,
  none: 'No Results',
  previous: 'Previous',
  next: 'Next',
}

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
