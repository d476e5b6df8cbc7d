import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Faces } from './Feedback.tsx'

test('arrow keys move through the faces', async () => {
  const pick = vi.fn()
  const Icon = vi.fn(() => null) as never // as: this test does not use the icon
  const faces = ['positive', 'neutral', 'negative'].map(value => ({ value, label: value, icon: Icon }))
  render(<Faces label="How is it" faces={faces} value="positive" onChange={pick} />)
  screen.getByRole('radio', { name: 'positive' }).focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(pick).toHaveBeenCalledWith('neutral')
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'neutral' }))
})
