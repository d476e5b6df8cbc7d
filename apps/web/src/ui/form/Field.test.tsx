import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Field } from '../base/Field.tsx'
import { Input } from '../base/Input.tsx'
import { CardFields } from './CardFields.tsx'
import { ChipsInput } from './ChipsInput.tsx'
import { CodeInput } from './CodeInput.tsx'
import type { CardValue } from './card-format.ts'
import { PasswordInput } from './PasswordInput.tsx'

const noteOf = (control: HTMLElement) =>
  document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent

test('label and help belong to the control', () => {
  render(
    <Field label="Email" help="We never share it." required>
      <Input type="email" />
    </Field>,
  )
  const input = screen.getByRole('textbox', { name: 'Email' })
  expect(noteOf(input)).toBe('We never share it.')
  expect(input.hasAttribute('aria-invalid')).toBe(false)
  expect(input.getAttribute('aria-required')).toBe('true')
})

test('an error replaces the help and is announced', () => {
  render(
    <Field label="Email" help="We never share it." error="Enter a valid email address" valid>
      <Input type="email" />
    </Field>,
  )
  const input = screen.getByRole('textbox', { name: 'Email' })
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(noteOf(input)).toBe('Enter a valid email address')
  expect(screen.getByRole('alert').textContent).toBe('Enter a valid email address')
  expect(screen.queryByText('We never share it.')).toBeNull()
})

test('a password can be shown and hidden and keeps its value', async () => {
  render(
    <Field label="Password">
      <PasswordInput showLabel="Show password" hideLabel="Hide password" />
    </Field>,
  )
  const input = screen.getByLabelText('Password')
  await userEvent.type(input, 'limestone!')
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(input).toMatchObject({ type: 'text', value: 'limestone!' })
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(input).toMatchObject({ type: 'password', value: 'limestone!' })
})

test('a pasted code drops other characters, stops at six and completes once [const:otp.length]', async () => {
  const complete = vi.fn()
  function Code() {
    const [code, setCode] = useState('')
    return <CodeInput aria-label="Code" value={code} onChange={setCode} onComplete={complete} />
  }
  render(<Code />)
  await userEvent.click(screen.getByLabelText('Code'))
  await userEvent.paste('40 71-23 99')
  expect(screen.getByLabelText('Code')).toMatchObject({ value: '407123' })
  expect(complete.mock.calls).toEqual([['407123']])
})

test('comma, Enter and paste end a value; backspace removes the last one', async () => {
  const onChange = vi.fn()
  function Chips() {
    const [value, setValue] = useState<string[]>([])
    onChange(value)
    return (
      <Field label="Emails">
        <ChipsInput
          value={value}
          onChange={setValue}
          isGood={() => true}
          split={text => text.split(/[\s,]+/).filter(Boolean)}
          removeLabel={text => `Remove ${text}`}
        />
      </Field>
    )
  }
  render(<Chips />)
  const input = screen.getByRole('textbox', { name: 'Emails' })
  await userEvent.type(input, 'a@b.co,c@d.co{Enter}')
  await userEvent.paste('e@f.co, a@b.co\ng@h.co')
  expect(onChange).toHaveBeenLastCalledWith(['a@b.co', 'c@d.co', 'e@f.co', 'g@h.co'])
  await userEvent.type(input, '{Backspace}')
  await userEvent.click(screen.getByRole('button', { name: 'Remove a@b.co' }))
  expect(onChange).toHaveBeenLastCalledWith(['c@d.co', 'e@f.co'])
  expect(document.activeElement).toBe(input)
})

test('a card reports its values, moves to the next input and is null when empty', async () => {
  const onChange = vi.fn<(value: CardValue | null) => void>()
  const labels = { number: 'Card number', exp: 'Expiry date', cvc: 'Security code' }
  render(
    <Field label="Card" error="Check the card">
      <CardFields onChange={onChange} labels={labels} />
    </Field>,
  )
  const number = screen.getByLabelText('Card number')
  await userEvent.type(number, '4242424242424242')
  await userEvent.keyboard('1230')
  await userEvent.keyboard('123')
  expect(onChange).toHaveBeenLastCalledWith({ number: '4242 4242 4242 4242', exp: '12 / 30', cvc: '123' })
  expect(number.getAttribute('aria-invalid')).toBe('true')
  await userEvent.clear(screen.getByLabelText('Security code'))
  await userEvent.clear(screen.getByLabelText('Expiry date'))
  await userEvent.clear(number)
  expect(onChange).toHaveBeenLastCalledWith(null)
})
