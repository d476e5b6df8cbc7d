import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { declared } from '../../../test/css.ts'
import { Drawer } from './Drawer.tsx'

const tokens = () => declared('styles/tokens.css', ':root')

test('[part:drawer] [const:drawer] opens from the right by default, at most 60 units wide', async () => {
  const close = vi.fn()
  const { rerender } = render(
    <Drawer open onClose={close} label="Menu" closeLabel="Close">
      <a href="#dashboard">Dashboard</a>
    </Drawer>,
  )
  const drawer = screen.getByRole('dialog', { name: 'Menu' })
  expect(drawer).toHaveClass('drawer', { exact: true })
  // Logical, so that the side is mirrored in right-to-left languages.
  expect(declared('ui/overlay/drawer.css', '.drawer')).toMatchObject({
    'inset-inline': 'auto 0',
    width: 'var(--drawer)',
    'max-width': '100%',
  })
  expect(tokens()['--drawer']).toBe(`${60 * Number.parseInt(tokens()['--space-1'] ?? '', 10)}px`)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(close).toHaveBeenCalledTimes(1)
  rerender(
    <Drawer open onClose={close} label="Menu" closeLabel="Close" side="left">
      <a href="#dashboard">Dashboard</a>
    </Drawer>,
  )
  expect(drawer).toHaveClass('drawer--start')
  expect(declared('ui/overlay/drawer.css', '.drawer--start')).toMatchObject({ 'inset-inline': '0 auto' })
})
