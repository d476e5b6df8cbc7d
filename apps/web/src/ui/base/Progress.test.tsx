import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Progress } from './Progress.tsx'

test('the maximum is 100 by default [part:progress] [const:progress.max]', () => {
  render(<Progress label="Seats" value={120} />)
  const bar = screen.getByRole('progressbar', { name: 'Seats' })
  expect([bar.getAttribute('aria-valuemax'), bar.getAttribute('aria-valuenow')]).toEqual(['100', '100'])
})
