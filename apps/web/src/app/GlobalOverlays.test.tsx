import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { closeDialog, dialog, openDialog } from '../lib/dialog.ts'
import { withOverlay } from '../lib/loading.ts'
import { GlobalOverlays } from './GlobalOverlays.tsx'

afterEach(() => {
  vi.doUnmock('./ShellDialog.tsx')
  closeDialog()
})

test('[shell:dialog] shows a dialog once its code is loaded and removes it when it is closed', async () => {
  render(<GlobalOverlays />)
  act(() => openDialog({ title: 'Leave the team', buttonText: 'Leave' }))
  expect(await screen.findByText('Leave the team')).toBeTruthy()
  act(() => closeDialog())
  expect(screen.queryByText('Leave the team')).toBeNull()
})

test('[shell:overlay] shows the loading overlay until the work is done', async () => {
  render(<GlobalOverlays />)
  const work = Promise.withResolvers<void>()
  act(() => void withOverlay(work.promise))
  expect(await screen.findByRole('status')).toBeTruthy()
  await act(async () => work.resolve())
  expect(screen.queryByRole('status')).toBeNull()
})

test('offline: closes the dialog and keeps the screen', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.resetModules()
  vi.doMock('./ShellDialog.tsx', () => {
    throw new Error('offline')
  })
  const fresh = await import('./GlobalOverlays.tsx')
  const { openDialog: ask, dialog: state } = await import('../lib/dialog.ts')
  render(
    <>
      <p>The screen</p>
      <fresh.GlobalOverlays />
    </>,
  )
  act(() => ask({ title: 'Leave the team', buttonText: 'Leave' }))
  await vi.waitFor(() => expect(state.get().open).toBe(false))
  expect(screen.getByText('The screen')).toBeTruthy()
  expect(dialog.get().open).toBe(false)
})
