import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { showInput } from '../../../test/inputs.tsx'
import { setLanguage } from '../i18n/language.ts'
import { date } from './date.tsx'

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

const field = () => screen.getByLabelText('Start')
const pick = (value: string) => fireEvent.change(field(), { target: { value } })
/** Simulates the browser's report of a partly typed date. */
const setPartlyTyped = (bad: boolean) =>
  vi.spyOn(HTMLInputElement.prototype, 'validity', 'get').mockReturnValue({ badInput: bad } as ValidityState) // as: only this is read

test('[input:date] [text:date.placeholder] shows its placeholder until a date is picked, then the long date', async () => {
  showInput(date({ label: 'Start' }))
  expect(screen.getByText('Pick a date')).toBeVisible()
  pick('2026-03-05')
  expect(screen.getByText('March 5, 2026')).toBeVisible()
  expect(screen.queryByText('Pick a date')).toBeNull()
  await act(() => setLanguage('de'))
  expect(screen.getByText('5. März 2026')).toBeVisible()
})

test('[rule:date.value] the value is YYYY-MM-DD, picked or given', async () => {
  const { save } = showInput(date({ label: 'Start', value: new Date(2026, 2, 5, 23, 59) }))
  expect(screen.getByText('March 5, 2026')).toBeVisible()
  expect(await save()).toBe('2026-03-05')
  pick('0987-01-09')
  expect(await save()).toBe('0987-01-09')
})

test('[const:date.width] the button is 280 pixels wide and shows the long date', () => {
  const css = readFileSync(join(import.meta.dirname, '../../ui/form/date-input.css'), 'utf8')
  expect(css).toMatch(/\.date \{[^}]*\bwidth: 280px;/)
  showInput(date({ label: 'Start', value: '2026-12-04' }))
  expect(field().closest('.date')).toHaveTextContent('December 4, 2026')
})

test('a press opens the browser’s date picker; a browser that blocks it causes no error', async () => {
  const open = vi.fn(() => {
    throw new DOMException('Not from a foreign frame', 'SecurityError')
  })
  Object.assign(HTMLInputElement.prototype, { showPicker: open })
  const { keyboard } = showInput(date({ label: 'Start' }))
  await keyboard.click(field())
  expect(open).toHaveBeenCalledTimes(1)
  expect(field().closest('.date')).not.toHaveAttribute('data-typing')
  await keyboard.keyboard('1')
  expect(field().closest('.date')).toHaveAttribute('data-typing')
  Reflect.deleteProperty(HTMLInputElement.prototype, 'showPicker')
})

test('keyboard focus shows the date’s parts; leaving hides them', async () => {
  const { keyboard } = showInput(date({ label: 'Start' }))
  await keyboard.tab()
  expect(field()).toHaveFocus()
  expect(field().closest('.date')).toHaveAttribute('data-typing')
  await keyboard.tab()
  expect(field().closest('.date')).not.toHaveAttribute('data-typing')
})

test('an incomplete date shows an error and stays visible', async () => {
  const { keyboard, save } = showInput(date({ label: 'Start' }))
  setPartlyTyped(true)
  await keyboard.tab()
  await keyboard.tab()
  expect(screen.getByRole('alert')).toHaveTextContent('Enter a complete date')
  expect(field().closest('.date')).toHaveAttribute('data-typing')
  expect(await save()).toBe('Enter a complete date')
  setPartlyTyped(false)
  pick('2026-12-04')
  expect(await save()).toBe('2026-12-04')
})

test('a date can be required and described', async () => {
  const { save } = showInput(date({ label: 'Start', required: true, help: 'The first day.' }))
  expect(field()).toHaveAccessibleDescription('The first day.')
  expect(field()).toBeRequired()
  expect(await save()).toBe('Start is required')
  expect(field()).toHaveFocus()
  expect(field()).toHaveAccessibleDescription('Start is required')
  expect(field()).toBeInvalid()
})
