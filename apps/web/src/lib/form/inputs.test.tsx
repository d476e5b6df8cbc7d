import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { Form } from './Form.tsx'
import { number, phone, url } from './inputs.tsx'
import { area, checkbox, code, select } from './more-inputs.tsx'
import type { Input } from './types.ts'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

function show(field: Input) {
  const call = vi.fn(async (_input: { body: { field?: unknown } }) => ({ data: {}, message: undefined }))
  render(<Form inputs={{ field }} call={call} buttonText="Save" />)
  const keyboard = userEvent.setup()
  return {
    keyboard,
    /** What is sent for the field, or the message that stops it. */
    async save() {
      const before = call.mock.calls.length
      await keyboard.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(call.mock.calls.length > before || screen.queryByRole('alert')).toBeTruthy())
      return call.mock.calls.length > before
        ? call.mock.calls.at(-1)?.[0].body.field
        : screen.getByRole('alert').textContent
    },
  }
}

test('[input:number] is sent as a number; an empty one is left out', async () => {
  const { keyboard, save } = show(number({ label: 'Seats' }))
  expect(await save()).toBeUndefined()
  await keyboard.type(screen.getByLabelText('Seats'), '12x')
  expect(await save()).toBe('Enter a valid number')
  await keyboard.clear(screen.getByLabelText('Seats'))
  await keyboard.type(screen.getByLabelText('Seats'), '-1.5')
  expect(await save()).toBe(-1.5)
})

test('[input:phone] [input:url] bring the keyboard of their kind', async () => {
  show(phone({ label: 'Phone' }))
  show(url({ label: 'Page' }))
  expect(screen.getByLabelText('Phone')).toHaveAttribute('type', 'tel')
  expect(screen.getByLabelText('Page')).toHaveAttribute('inputmode', 'url')
})

test('[input:select] starts with its placeholder and sends the value chosen', async () => {
  const { keyboard, save } = show(
    select({ label: 'Role', required: true, options: [{ value: 'admin', label: 'Administrator' }] }),
  )
  expect(screen.getByLabelText('Role')).toHaveDisplayValue('Choose one')
  expect(await save()).toBe('Role is required')
  await keyboard.selectOptions(screen.getByLabelText('Role'), 'Administrator')
  expect(await save()).toBe('admin')
})

test('[input:textarea] takes several lines', async () => {
  const { keyboard, save } = show(
    area({ label: 'Message', required: true, messages: { required: 'Please enter a message' } }),
  )
  expect(await save()).toBe('Please enter a message')
  await keyboard.type(screen.getByLabelText('Message'), 'One{Enter}Two')
  expect(await save()).toBe('One\nTwo')
})

test('[input:checkbox] is sent as true or false, and can be required', async () => {
  const { keyboard, save } = show(checkbox({ label: 'I agree', required: true }))
  expect(await save()).toBe('I agree is required')
  await keyboard.click(screen.getByRole('checkbox', { name: 'I agree' }))
  expect(await save()).toBe(true)
})

test('[input:code] takes exactly six, cuts what is pasted and tells when it is full', async () => {
  const full = vi.fn()
  const { keyboard, save } = show(code({ label: 'Code', required: true, onComplete: full }))
  await keyboard.type(screen.getByLabelText('Code'), '12a3')
  expect(await save()).toBe('Enter a minimum of 6 characters')
  await keyboard.clear(screen.getByLabelText('Code'))
  await keyboard.click(screen.getByLabelText('Code'))
  await keyboard.paste('12345678')
  expect(full).toHaveBeenCalledWith('123456')
  expect(await save()).toBe('123456')
})
