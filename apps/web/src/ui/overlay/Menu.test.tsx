import { act, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'

// Import the module again for each test, so that nothing is loaded yet.
async function show() {
  vi.resetModules()
  const { Menu } = await import('./Menu.tsx')
  const edit = vi.fn()
  const onOpenChange = vi.fn()
  render(
    <Menu
      label="Actions"
      onOpenChange={onOpenChange}
      trigger={<button type="button">More</button>}
      entries={[
        { key: 'gone', label: 'Not now', disabled: true, onSelect: () => {} },
        { key: 'edit', label: 'Edit', onSelect: edit },
        { key: 'delete', label: 'Delete', onSelect: () => {} },
      ]}
    />,
  )
  return { button: screen.getByRole('button', { name: 'More' }), edit, onOpenChange }
}

beforeEach(() => {
  vi.doUnmock('./MenuList.tsx')
})

test('the button has its ARIA attributes before the list is loaded', async () => {
  const { button } = await show()
  expect(button).toHaveAttribute('aria-haspopup', 'menu')
  expect(button).toHaveAttribute('aria-expanded', 'false')
  expect(button).not.toHaveAttribute('aria-controls')
})

describe('the first press opens the menu', () => {
  test('by pointer', async () => {
    const { button, edit, onOpenChange } = await show()
    fireEvent.pointerDown(button, { button: 0 })
    const menu = await screen.findByRole('menu', { name: 'Actions' })
    expect(button).toHaveAttribute('aria-expanded', 'true')
    expect(button).toHaveAttribute('aria-controls', menu.id)
    expect(onOpenChange).toHaveBeenCalledExactlyOnceWith(true)
    await userEvent.click(screen.getByRole('menuitem', { name: 'Edit' }))
    expect(edit).toHaveBeenCalledOnce()
    expect(screen.queryByRole('menu')).toBeNull()
    expect(onOpenChange).toHaveBeenLastCalledWith(false)
  })

  test.each(['Enter', ' ', 'ArrowDown'])('by the key "%s", and focuses the first entry', async key => {
    const { button } = await show()
    // The key comes before the list is loaded.
    fireEvent.keyDown(button, { key })
    expect(await screen.findByRole('menuitem', { name: 'Edit' })).toHaveFocus()
    await userEvent.keyboard('{ArrowDown}')
    expect(screen.getByRole('menuitem', { name: 'Delete' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(button).toHaveFocus()
    expect(button).toHaveAttribute('aria-expanded', 'false')
  })

  test('by a screen reader’s click', async () => {
    const { button } = await show()
    act(() => button.click())
    expect(await screen.findByRole('menu')).toBeVisible()
  })
})

test('after focus has loaded the list, keys and pointer work as usual', async () => {
  const { button } = await show()
  await userEvent.tab()
  expect(button).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByRole('menuitem', { name: 'Edit' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(button)
  expect(screen.getByRole('menu')).toBeVisible()
  await userEvent.click(button)
  expect(screen.queryByRole('menu')).toBeNull()
})

test('other mouse buttons, or Control with a click, do not open it', async () => {
  const { button, onOpenChange } = await show()
  fireEvent.pointerDown(button, { button: 2 })
  fireEvent.pointerDown(button, { button: 0, ctrlKey: true })
  expect(onOpenChange).not.toHaveBeenCalled()
})

test('stays closed offline; the next press tries again', async () => {
  const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.doMock('./MenuList.tsx', () => {
    throw new Error('offline')
  })
  const { button, onOpenChange } = await show()
  fireEvent.pointerDown(button, { button: 0 })
  await vi.waitFor(() => expect(onOpenChange).toHaveBeenLastCalledWith(false))
  expect(failed).toHaveBeenCalled()
  vi.doUnmock('./MenuList.tsx')
  fireEvent.pointerDown(button, { button: 0 })
  expect(await screen.findByRole('menu')).toBeVisible()
})

test('Escape closes it and restores the focus, even after a toast has appeared', async () => {
  const { button } = await show()
  const [{ Toasts }, { dismiss, toast }] = await Promise.all([import('./Toasts.tsx'), import('./toast.ts')])
  render(<Toasts texts={{ region: 'Notifications', one: 'Notification', close: 'Close' }} />)
  fireEvent.keyDown(button, { key: 'Enter' })
  expect(await screen.findByRole('menuitem', { name: 'Edit' })).toHaveFocus()
  act(() => {
    toast({ title: 'Something happened' })
  })
  await screen.findByText('Something happened', { selector: '.toast__title' })
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(button).toHaveFocus()
  act(() => dismiss())
})
