import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { closeDialog, dialog, openDialog } from '../lib/dialog.ts'
import { withOverlay } from '../lib/loading.ts'
import { GlobalOverlays } from './GlobalOverlays.tsx'

afterEach(() => {
  vi.doUnmock('./ShellDialog.tsx')
  closeDialog()
})

test('[shell:dialog] a question is drawn over the screen once its code is there, and goes with its answer', async () => {
  render(<GlobalOverlays />)
  act(() => openDialog({ title: 'Leave the team', buttonText: 'Leave' }))
  expect(await screen.findByText('Leave the team')).toBeTruthy()
  act(() => closeDialog())
  expect(screen.queryByText('Leave the team')).toBeNull()
})

test('[shell:overlay] the curtain is there as long as something is under way', async () => {
  render(<GlobalOverlays />)
  const work = Promise.withResolvers<void>()
  act(() => void withOverlay(work.promise))
  expect(await screen.findByRole('status')).toBeTruthy()
  await act(async () => work.resolve())
  expect(screen.queryByRole('status')).toBeNull()
})

test('without a connection the question is taken back and the screen stays', async () => {
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
