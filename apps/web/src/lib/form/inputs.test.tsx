import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { showInput } from '../../../test/inputs.tsx'
import { setLanguage } from '../i18n/language.ts'
import { useT } from '../i18n/translate.ts'
import { code } from '../inputs/code.tsx'
import { area, checkbox, select, toggle } from '../inputs/more-inputs.tsx'
import { Form } from './Form.tsx'
import { email, number, password, phone, text, url } from './inputs.tsx'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

test('[input:number] is sent as a number, and omitted when empty', async () => {
  const { keyboard, save } = showInput(number({ label: 'Seats' }))
  expect(await save()).toBeUndefined()
  await keyboard.type(screen.getByLabelText('Seats'), '12x')
  expect(await save()).toBe('Enter a valid number')
  await keyboard.clear(screen.getByLabelText('Seats'))
  await keyboard.type(screen.getByLabelText('Seats'), '-1.5')
  expect(await save()).toBe(-1.5)
})

test('[input:text] checks the minimum and maximum length', async () => {
  const { keyboard, save } = showInput(text({ label: 'Name', required: true, minLength: 2, maxLength: 4 }))
  expect(await save()).toBe('Name is required')
  await keyboard.type(screen.getByLabelText('Name'), 'M')
  expect(await save()).toBe('Enter at least 2 characters')
  await keyboard.type(screen.getByLabelText('Name'), 'aria')
  expect(await save()).toBe('Enter at most 4 characters')
  await keyboard.type(screen.getByLabelText('Name'), '{Backspace}')
  expect(await save()).toBe('Mari')
})

test('[input:email] validates the address and has the type email', async () => {
  const { keyboard, save } = showInput(email({ label: 'Email' }))
  expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email')
  await keyboard.type(screen.getByLabelText('Email'), 'mara@northquay')
  expect(await save()).toBe('Enter a valid email address')
  await keyboard.type(screen.getByLabelText('Email'), '.studio')
  expect(await save()).toBe('mara@northquay.studio')
})

test('[input:password] can be shown, and must be complex if the field requires it', async () => {
  const { keyboard, save } = showInput(
    password({ label: 'Password', complex: true, autoComplete: 'new-password' }),
  )
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
  await keyboard.type(screen.getByLabelText('Password'), 'limestone')
  expect(await save()).toBe('Add at least one special character, such as ! or ?')
  await keyboard.click(screen.getByRole('button', { name: 'Show password' }))
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text')
  await keyboard.type(screen.getByLabelText('Password'), '!')
  expect(await save()).toBe('limestone!')
})

test('[input:phone] takes digits with single spaces and has the type tel', async () => {
  const { keyboard, save } = showInput(phone({ label: 'Phone' }))
  expect(screen.getByLabelText('Phone')).toHaveAttribute('type', 'tel')
  await keyboard.type(screen.getByLabelText('Phone'), '12345')
  expect(await save()).toBe('Enter a valid phone number (e.g. +1 1234567890)')
  await keyboard.clear(screen.getByLabelText('Phone'))
  await keyboard.type(screen.getByLabelText('Phone'), '+1 1234567890')
  expect(await save()).toBe('+1 1234567890')
})

test('[input:url] takes a URL with or without its scheme and has the input mode url', async () => {
  const { keyboard, save } = showInput(url({ label: 'Page' }))
  expect(screen.getByLabelText('Page')).toHaveAttribute('inputmode', 'url')
  await keyboard.type(screen.getByLabelText('Page'), 'northquay')
  expect(await save()).toBe('Enter a valid URL')
  await keyboard.type(screen.getByLabelText('Page'), '.studio/about?a=b')
  expect(await save()).toBe('northquay.studio/about?a=b')
})

test('[input:select] [text:select.placeholder] starts with its placeholder and sends the chosen value', async () => {
  const { keyboard, save } = showInput(
    select({ label: 'Role', required: true, options: [{ value: 'admin', label: 'Administrator' }] }),
  )
  expect(screen.getByLabelText('Role')).toHaveDisplayValue('Choose one')
  expect(await save()).toBe('Role is required')
  await keyboard.selectOptions(screen.getByLabelText('Role'), 'Administrator')
  expect(await save()).toBe('admin')
})

test('[input:textarea] takes several lines', async () => {
  const { keyboard, save } = showInput(
    area({ label: 'Message', required: true, messages: { required: 'Please enter a message' } }),
  )
  expect(await save()).toBe('Please enter a message')
  await keyboard.type(screen.getByLabelText('Message'), 'One{Enter}Two')
  expect(await save()).toBe('One\nTwo')
})

test('[input:checkbox] is sent as true or false, and can be required', async () => {
  const { keyboard, save } = showInput(checkbox({ label: 'I agree', required: true }))
  expect(await save()).toBe('I agree is required')
  await keyboard.click(screen.getByRole('checkbox', { name: 'I agree' }))
  expect(await save()).toBe(true)
})

test('[input:switch] is sent as true or false', async () => {
  const { keyboard, save } = showInput(toggle({ label: 'Support access', help: 'For a day.' }))
  const control = screen.getByRole('switch', { name: 'Support access' })
  expect(control).toHaveAccessibleDescription('For a day.')
  expect(await save()).toBe(false)
  control.focus()
  await keyboard.keyboard(' ')
  expect(control).toBeChecked()
  expect(await save()).toBe(true)
})

test('[input:code] takes exactly six characters, cuts pasted text and reports completion', async () => {
  const full = vi.fn()
  const { keyboard, save } = showInput(code({ label: 'Code', required: true, onComplete: full }))
  await keyboard.type(screen.getByLabelText('Code'), '12a3')
  expect(await save()).toBe('Enter at least 6 characters')
  await keyboard.clear(screen.getByLabelText('Code'))
  await keyboard.click(screen.getByLabelText('Code'))
  await keyboard.paste('12345678')
  expect(full).toHaveBeenCalledWith('123456')
  expect(await save()).toBe('123456')
})

test('error messages follow a change of language', async () => {
  function Screen() {
    const t = useT()
    const label = t('global.form.field')
    const call = async (_: { body: { name?: string; email?: string } }) => ({
      data: null,
      message: undefined,
    })
    return (
      <Form inputs={{ name: text({ label, required: true }), email: email({ label: 'Mail' }) }} call={call} />
    )
  }
  render(<Screen />)
  const keyboard = userEvent.setup()
  await keyboard.type(screen.getByLabelText('Mail'), 'mara')
  await keyboard.type(screen.getByLabelText('Field'), 'M{Backspace}')
  expect(await screen.findByText('Enter a valid email address')).toBeVisible()
  expect(screen.getByText('Field is required')).toBeVisible()
  await act(() => setLanguage('de'))
  expect(await screen.findByText('Geben Sie eine gültige E-Mail-Adresse ein')).toBeVisible()
  expect(screen.queryByText('Field is required')).toBeNull()
  expect(screen.queryByText('Enter a valid email address')).toBeNull()
})
