import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { declared } from '../../../test/css.ts'
import { Toasts } from './Toasts.tsx'
import { dismiss, toast } from './toast.ts'

const texts = { region: 'Notifications ({hotkey})', one: 'Notification', close: 'Close' }

afterEach(() => act(() => dismiss()))

test('shows texts and action, and closes [part:toast.action]', async () => {
  const undo = vi.fn()
  render(<Toasts texts={texts} />)
  expect(screen.queryByRole('region')).toBeNull()
  act(() => {
    toast({
      title: '2 invites sent',
      description: 'They hold a seat.',
      action: { label: 'Undo', onSelect: undo },
    })
  })
  expect((await screen.findAllByText('2 invites sent')).length).toBeGreaterThan(0)
  expect(screen.getByRole('region', { name: 'Notifications (F8)' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undo).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
})

test.each([
  ['default', 'lucide-check', '--ink-2'],
  ['success', 'lucide-circle-check', '--success'],
  ['info', 'lucide-circle-check', '--info'],
  ['error', 'lucide-circle-alert', '--danger'],
] as const)('[part:toast.variants] [text:toast.icons] %s has %s in %s', async (variant, icon, color) => {
  render(<Toasts texts={texts} />)
  act(() => {
    toast({ variant, title: 'Something happened' })
  })
  const drawn = (await screen.findByText('Something happened', { selector: '.toast__title' })).closest(
    '.toast',
  )
  expect(drawn).toHaveClass(`toast--${variant}`)
  expect(drawn?.querySelector('svg')).toHaveClass(icon)
  const own = variant === 'default' ? '.toast > svg' : `.toast--${variant} > svg`
  expect(declared('ui/overlay/toast.css', own).color).toBe(`var(${color})`)
})

test('a toast without a variant uses the default one', async () => {
  render(<Toasts texts={texts} />)
  act(() => {
    toast({ title: 'Copied' })
  })
  const drawn = await screen.findByText('Copied', { selector: '.toast__title' })
  expect(drawn.closest('.toast')).toHaveClass('toast--default')
})

test('F8 moves the focus to the region', async () => {
  render(<Toasts texts={texts} />)
  act(() => {
    toast({ title: 'Copied' })
  })
  const region = await screen.findByRole('region', { name: 'Notifications (F8)' })
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
  expect(region.contains(document.activeElement)).toBe(true)
})

test('[part:toast.variants] an error has a red background, outline and title', async () => {
  expect(declared('ui/overlay/toast.css', '.toast--error')).toMatchObject({
    background: 'var(--danger-tint)',
    outline: '1px solid var(--danger-line)',
  })
  expect(declared('ui/overlay/toast.css', '.toast--error .toast__title').color).toBe('var(--danger-text)')
})

test('title and description are announced as two sentences', async () => {
  render(<Toasts texts={texts} />)
  act(() => {
    toast({ title: 'Here' })
  })
  await screen.findByText('Here')
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  act(() => {
    toast({ title: 'Welcome, Mara', description: 'This is sample data.' })
  })
  // The live region gets its text two frames later and keeps it for a second.
  act(() => {
    vi.advanceTimersByTime(100)
  })
  const announced = screen.getAllByRole('status').map(region => region.textContent)
  expect(announced).toContain('Notification Welcome, Mara. This is sample data.')
})

test('closing a toast by keyboard restores the focus, and later toasts close automatically', async () => {
  const user = userEvent.setup()
  render(
    <>
      <input aria-label="Message" />
      <Toasts texts={texts} />
    </>,
  )
  const field = screen.getByRole('textbox')
  for (const key of ['{Escape}', '{Enter}']) {
    act(() => field.focus())
    act(() => {
      toast({ title: 'Copied' })
    })
    await screen.findByText('Copied', { selector: '.toast__title' })
    fireEvent.keyDown(document, { key: 'F8', code: 'F8' })
    screen.getByRole('button', { name: 'Close' }).focus()
    await user.keyboard(key)
    expect(field).toHaveFocus()
  }
})

test('toasts are above the selection bar, and at the top on phones', () => {
  const [bar, over] = ['.bulk', 'body:has(.bulk) .toasts']
  const end = (css: Record<string, string>) => Number.parseInt(css['inset-block-end'] ?? '', 10)
  // The bar is 46 pixels high.
  const wide = '@media (min-width: 721px)'
  expect(end(declared('ui/overlay/toast.css', over, wide))).toBeGreaterThanOrEqual(
    end(declared('ui/table/table.css', bar)) + 46,
  )
  const phone = '@media (max-width: 720px)'
  expect(declared('ui/overlay/toast.css', '.toasts', phone).inset).toBe('12px 16px auto')
  expect(declared('ui/overlay/toast.css', '.toast .x', phone)).toMatchObject({
    width: 'var(--h-touch)',
    height: 'var(--h-touch)',
  })
})
