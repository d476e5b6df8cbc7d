import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Tabs } from './Tabs.tsx'

test('shows one panel', async () => {
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
