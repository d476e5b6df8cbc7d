import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Field } from '../base/Field.tsx'
import { CodeInput, type CodeInputProps } from './CodeInput.tsx'

function show(props: Partial<CodeInputProps> = {}, error?: string) {
  const complete = vi.fn()
  function Code() {
    const [code, setCode] = useState('')
    return (
      <Field label="Code" error={error}>
        <CodeInput value={code} onChange={setCode} onComplete={complete} {...props} />
      </Field>
    )
  }
  render(<Code />)
  const input = screen.getByLabelText<HTMLInputElement>('Code')
  const slots = (group: number) =>
    [...(document.querySelectorAll('.otp__group')[group]?.children ?? [])].map(slot => slot.textContent)
  return { complete, input, slots, keyboard: userEvent.setup() }
}

test('[rule:otp.length] [input:code] shows six slots in two groups of three with a separator', () => {
  const { slots } = show()
  expect([slots(0), slots(1)]).toEqual([
    ['', '', ''],
    ['', '', ''],
  ])
  const separator = document.querySelector('.otp__sep')
  expect(separator?.previousElementSibling).toHaveClass('otp__group')
  expect(separator?.nextElementSibling).toHaveClass('otp__group')
})

test('marks the next slot on focus and unmarks it on blur', () => {
  const { input } = show({ autoFocus: true })
  expect(input).toHaveFocus()
  expect(document.querySelector('.otp__slot')).toHaveClass('is-focus')
  act(() => input.blur())
  expect(document.querySelectorAll('.otp__slot.is-focus')).toHaveLength(0)
})

test('typed characters appear in the slots, and backspace removes the last one', async () => {
  const { input, slots, keyboard } = show()
  await keyboard.type(input, '4071')
  expect([...slots(0), ...slots(1)].join('')).toBe('4071')
  expect(document.querySelectorAll('.otp__slot.is-focus')).toHaveLength(1)
  await keyboard.keyboard('{Backspace}')
  expect(input).toHaveValue('407')
})

test('[rule:otp.pattern] ignores characters that don’t match', async () => {
  const digits = show()
  await digits.keyboard.type(digits.input, 'a1 b2-c3')
  expect(digits.input).toHaveValue('123')
  expect(digits.input).toHaveAttribute('inputmode', 'numeric')
  document.body.replaceChildren()
  const letters = show({ accept: /[a-f]/ })
  await letters.keyboard.type(letters.input, 'a1gf')
  expect(letters.input).toHaveValue('af')
  expect(letters.input).toHaveAttribute('inputmode', 'text')
})

test('[rule:otp.paste] cuts pasted text to six characters', async () => {
  const { input, keyboard } = show()
  await keyboard.click(input)
  await keyboard.paste(' 407 123 99')
  expect(input).toHaveValue('407123')
})

test('[rule:otp.complete] calls the callback once at full length, and again for another code', async () => {
  const { input, complete, keyboard } = show()
  await keyboard.type(input, '40712')
  expect(complete).not.toHaveBeenCalled()
  await keyboard.keyboard('3')
  await keyboard.keyboard('9')
  expect(complete.mock.calls).toEqual([['407123']])
  await keyboard.keyboard('{Backspace}4')
  expect(complete.mock.calls).toEqual([['407123'], ['407124']])
})

test('is a one-time code for autofill; an error is described and drawn', () => {
  const { input } = show({}, 'That code isn’t right')
  expect(input).toHaveAttribute('autocomplete', 'one-time-code')
  expect(input).toHaveAttribute('aria-invalid', 'true')
  expect(input).toHaveAccessibleDescription('That code isn’t right')
  expect(document.querySelectorAll('.otp__slot[data-bad]')).toHaveLength(6)
})

test('after a reset the first slot is marked again', async () => {
  function Code() {
    const [code, setCode] = useState('')
    return <CodeInput aria-label="Code" value={code} onChange={setCode} onComplete={() => setCode('')} />
  }
  render(<Code />)
  await userEvent.type(screen.getByLabelText('Code'), '407123')
  expect(document.querySelector('.is-focus')).toBe(document.querySelector('.otp__slot'))
})
