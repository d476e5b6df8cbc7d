import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { declared } from '../../../test/css.ts'
import { CardFields } from './CardFields.tsx'
import { Checkbox } from './Checkbox.tsx'
import { PlanPicker } from './PlanPicker.tsx'
import { Select } from './Select.tsx'
import { Switch } from './Switch.tsx'

const tokens = () => declared('styles/tokens.css', ':root')

test('a switch changes by click and by keyboard', async () => {
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

test('a checkbox can be indeterminate', () => {
  render(<Checkbox label="All" mixed />)
  expect(screen.getByRole('checkbox', { name: 'All' })).toMatchObject({ indeterminate: true })
})

test('a plan is a radio button with a price', async () => {
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

test('[const:select.height] a list that CSS can style is at most 24rem high', () => {
  render(<Select aria-label="Month" options={[{ value: '1', label: 'January' }]} />)
  expect(screen.getByRole('combobox', { name: 'Month' })).toHaveClass('select')
  const list = declared(
    'ui/form/select.css',
    '.select::picker(select)',
    '@supports (appearance: base-select)',
  )
  expect(list['max-height']).toMatch(/^min\(24rem, /)
})

test('[const:card.font] a card has the font size 13', () => {
  const labels = { number: 'Card number', exp: 'Expiry date', cvc: 'Security code' }
  render(<CardFields onChange={() => {}} labels={labels} />)
  expect(screen.getByLabelText('Card number').closest('.card-input')).not.toBeNull()
  expect(declared('ui/form/card-fields.css', '.card-input')['font-size']).toBe('var(--text-card)')
  expect(tokens()['--text-card']).toBe('13px')
  // Phones zoom into fields with a smaller font.
  expect(declared('styles/tokens.css', ':root', '@media (pointer: coarse)')['--text-card']).toBe('16px')
})
