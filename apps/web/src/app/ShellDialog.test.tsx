import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { visit } from '../../test/app.tsx'
import { ApiError } from '../lib/api/error.ts'
import { dialog, openDialog, updateDialogForm } from '../lib/dialog.ts'
import { password, text } from '../lib/form/inputs.tsx'

async function openWith(state: Parameters<typeof openDialog>[0]) {
  const page = await visit({ path: '/' })
  page.open()
  await screen.findByRole('heading', { level: 1 })
  act(() => openDialog(state))
  await screen.findByText(state.title)
  return page
}

const question = {
  title: 'Delete the key?',
  description: 'It stops working at once.',
  buttonText: 'Delete key',
}

test('[dialog:confirm] confirming makes the call, runs the callback with its answer and resets', async () => {
  const callback = vi.fn()
  const call = vi.fn(async () => ({ data: { signout: true }, message: undefined }))
  const { keyboard } = await openWith({ ...question, call, callback, danger: true })
  expect(screen.getByRole('alertdialog')).toHaveAccessibleDescription('It stops working at once.')
  await keyboard.click(screen.getByRole('button', { name: 'Delete key' }))
  await waitFor(() => expect(callback).toHaveBeenCalledWith({ signout: true }, {}))
  await waitFor(() =>
    expect(dialog.get()).toEqual({
      open: false,
      title: '',
      description: '',
      buttonText: '',
      cancelText: null,
      danger: false,
      call: null,
      form: null,
      callback: null,
    }),
  )
})

test('[dialog:cancel] cancelling runs nothing and resets', async () => {
  const callback = vi.fn()
  const { keyboard } = await openWith({ ...question, callback })
  await keyboard.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByText(question.title)).toBeNull())
  expect(callback).not.toHaveBeenCalled()
  expect(dialog.get().callback).toBeNull()
})

test('[dialog:form] validates and sends its fields, which can change; shows refusals at their field', async () => {
  const call = vi.fn(async (_input: { body: unknown }) => ({ data: {}, message: undefined }))
  call.mockRejectedValueOnce(new ApiError(422, 'That is not your password', { inputError: 'password' }))
  const { keyboard } = await openWith({
    ...question,
    call,
    form: { password: password({ label: 'Password', required: true, autoComplete: 'current-password' }) },
  })
  await keyboard.click(screen.getByRole('button', { name: 'Delete key' }))
  expect(await screen.findByText('Password is required')).toBeVisible()
  await keyboard.type(screen.getByLabelText('Password', { selector: 'dialog input' }), 'wrong!')
  await keyboard.click(screen.getByRole('button', { name: 'Delete key' }))
  expect(await screen.findByText('That is not your password')).toBeVisible()
  act(() => updateDialogForm({ reason: text({ label: 'Reason' }) }))
  await keyboard.type(await screen.findByLabelText('Reason'), 'Leaving')
  await keyboard.click(screen.getByRole('button', { name: 'Delete key' }))
  await waitFor(() => expect(dialog.get().open).toBe(false))
  expect(call.mock.calls.at(-1)?.[0].body).toEqual({ password: 'wrong!', reason: 'Leaving' })
})
