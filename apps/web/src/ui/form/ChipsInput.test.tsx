import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Field } from '../base/Field.tsx'
import { ChipsInput } from './ChipsInput.tsx'

function Addresses() {
  const [value, setValue] = useState<string[]>([])
  return (
    <Field label="Emails">
      <ChipsInput
        value={value}
        onChange={setValue}
        isGood={text => text.includes('@')}
        split={text => text.split(/[\s,]+/).filter(Boolean)}
        removeLabel={text => `Remove ${text}`}
      />
    </Field>
  )
}

const chips = () =>
  screen.queryAllByRole('button').map(button => button.getAttribute('aria-label')?.replace('Remove ', ''))

function show(): HTMLInputElement {
  render(<Addresses />)
  return screen.getByLabelText<HTMLInputElement>('Emails')
}

/** Simulates an on-screen keyboard: text without key events. */
const insert = (field: HTMLInputElement, text: string) =>
  fireEvent.input(field, { target: { value: field.value + text } })

test('an Enter that accepts a composed word adds no chip, in every browser', () => {
  const field = show()
  fireEvent.compositionStart(field)
  fireEvent.input(field, { target: { value: 'あだ' }, isComposing: true })
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 })
  expect(chips()).toEqual([])
  expect(field).toHaveValue('あだ')
  fireEvent.compositionEnd(field)
  expect(chips()).toEqual([])
  fireEvent.keyDown(field, { key: 'Enter' })
  expect(chips()).toEqual(['あだ'])
})

test('a comma inside a composed word ends a value only after the word is accepted', () => {
  const field = show()
  fireEvent.compositionStart(field)
  fireEvent.input(field, { target: { value: 'a@x.example,' }, isComposing: true })
  expect(chips()).toEqual([])
  fireEvent.compositionEnd(field)
  expect(chips()).toEqual(['a@x.example'])
  expect(field).toHaveValue('')
})

test('splits text entered without key events and keeps the last part as draft', () => {
  const field = show()
  insert(field, 'a@x.example,')
  expect(chips()).toEqual(['a@x.example'])
  insert(field, ' b@x.example')
  insert(field, ' c@x')
  expect(chips()).toEqual(['a@x.example', 'b@x.example'])
  expect(field).toHaveValue('c@x')
})

test('typed commas and spaces end a value; alone they are ignored', async () => {
  const field = show()
  await userEvent.type(field, ' ,a@x.example b@x.example,')
  expect(chips()).toEqual(['a@x.example', 'b@x.example'])
  expect(field).toHaveValue('')
})
