import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Button, ButtonLink } from './Button.tsx'

test('a promise makes it busy until it settles, and a second press does nothing', async () => {
  const settle = Promise.withResolvers<void>()
  const press = vi.fn(() => settle.promise)
  render(<Button onClick={press}>Save</Button>)
  const button = screen.getByRole('button', { name: 'Save' })
  await userEvent.dblClick(button)
  expect(press).toHaveBeenCalledTimes(1)
  expect(button.getAttribute('aria-busy')).toBe('true')
  await act(async () => settle.resolve())
  expect(button.hasAttribute('aria-busy')).toBe(false)
  await userEvent.click(button)
  expect(press).toHaveBeenCalledTimes(2)
})

test('while loading, neither a press nor Enter submits the form, and the focus stays', async () => {
  const submit = vi.fn((event: React.FormEvent) => event.preventDefault())
  render(
    <form onSubmit={submit}>
      <input aria-label="Name" />
      <Button type="submit" loading loadingLabel="Saving">
        Save
      </Button>
    </form>,
  )
  const button = screen.getByRole('button')
  await userEvent.click(button)
  expect(document.activeElement).toBe(button)
  await userEvent.type(screen.getByRole('textbox'), 'Mara{Enter}')
  expect(submit).not.toHaveBeenCalled()
})

test('a link with the look of a button is a link', () => {
  render(
    <ButtonLink href="/help" variant="primary">
      Help
    </ButtonLink>,
  )
  const link = screen.getByRole('link', { name: 'Help' })
  expect(link.getAttribute('href')).toBe('/help')
  expect(link.className).toBe('btn btn--primary')
})
