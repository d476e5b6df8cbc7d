import { render, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

test('the focus stays on the button when the text changes', () => {
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
