import { screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { showInput } from '../../../test/inputs.tsx'
import { checkboxes, radio } from './choices.tsx'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

const options = [
  { value: 'admin', label: 'Administrator', help: 'Manages users.' },
  { value: 'developer', label: 'Developer' },
  { value: 'user', label: 'User', disabled: true },
]
const group = (name: string) => screen.getByRole('group', { name })

test('[input:radio] sends the chosen option; shows the error at the group and focuses the first option', async () => {
  const { keyboard, save } = showInput(
    radio({ label: 'Role', required: true, help: 'Choose well.', options }),
  )
  expect(group('Role')).toHaveAccessibleDescription('Choose well.')
  expect(await save()).toBe('Role is required')
  expect(group('Role')).toHaveAccessibleDescription('Role is required')
  expect(screen.getByRole('radio', { name: /Administrator/ })).toHaveFocus()
  expect(screen.getByRole('radio', { name: 'User' })).toBeDisabled()
  await keyboard.click(screen.getByText('Developer'))
  expect(await save()).toBe('developer')
})

test('arrow keys change the selected radio button', async () => {
  const { keyboard, save } = showInput(radio({ label: 'Role', value: 'admin', options }))
  await keyboard.tab()
  expect(screen.getByRole('radio', { name: /Administrator/ })).toHaveFocus()
  await keyboard.keyboard('{ArrowDown}')
  expect(screen.getByRole('radio', { name: 'Developer' })).toBeChecked()
  expect(await save()).toBe('developer')
})

test('[rule:form.options-count] sends several options in their order and checks how many there are', async () => {
  const { keyboard, save } = showInput(
    checkboxes({
      label: 'Scope',
      required: true,
      minOptions: 1,
      maxOptions: 2,
      options: ['a', 'b', 'c'].map(value => ({ value, label: value })),
    }),
  )
  expect(await save()).toBe('Scope is required')
  expect(group('Scope')).toHaveAccessibleDescription('Scope is required')
  for (const name of ['c', 'b', 'a']) await keyboard.click(screen.getByRole('checkbox', { name }))
  expect(await save()).toBe('Choose between 1 and 2 options')
  await keyboard.click(screen.getByRole('checkbox', { name: 'b' }))
  expect(await save()).toEqual(['a', 'c'])
})
