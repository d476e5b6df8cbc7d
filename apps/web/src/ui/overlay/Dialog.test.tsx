import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Input } from '../base/Input.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { Dialog } from './Dialog.tsx'

function Opener({ locked, onSubmit }: { locked?: boolean; onSubmit?: () => void }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Invite"
        description="They get an email."
        closeLabel="Close"
        locked={locked}
        onSubmit={onSubmit}
      >
        <Input aria-label="Email" />
      </Dialog>
    </>
  )
}
const open = () => userEvent.click(screen.getByRole('button', { name: 'Open' }))
// Browsers send this event for Escape in a modal dialog.
const pressEscape = () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))

test('has a name and description, focuses its first field and restores the focus', async () => {
  render(<Opener />)
  await open()
  const dialog = screen.getByRole('dialog', { name: 'Invite' })
  expect(document.getElementById(dialog.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'They get an email.',
  )
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Email' }))
  expect(document.documentElement.classList.contains('locked')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.documentElement.classList.contains('locked')).toBe(false)
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }))
})

test('Escape closes it, unless it is locked', async () => {
  const { unmount } = render(<Opener />)
  await open()
  pressEscape()
  expect(screen.queryByRole('dialog')).toBeNull()
  unmount()
  render(<Opener locked />)
  await open()
  pressEscape()
  expect(screen.getByRole('dialog')).toBeDefined()
})

test('Enter in a field submits the form', async () => {
  const submit = vi.fn()
  render(<Opener onSubmit={submit} />)
  await open()
  await userEvent.type(screen.getByRole('textbox', { name: 'Email' }), 'a@b.co{Enter}')
  expect(submit).toHaveBeenCalledTimes(1)
})

test('a confirmation runs onClose on cancel and onConfirm on confirm', async () => {
  const [close, confirm] = [vi.fn(), vi.fn()]
  render(
    <ConfirmDialog
      open
      danger
      onClose={close}
      onConfirm={confirm}
      title="Delete 2 users?"
      confirmLabel="Delete"
      cancelLabel="Cancel"
    />,
  )
  expect(screen.getByRole('alertdialog', { name: 'Delete 2 users?' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect([close.mock.calls.length, confirm.mock.calls.length]).toEqual([1, 0])
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(confirm).toHaveBeenCalledTimes(1)
})
