import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { address, freshBrowser } from '../../test/app.tsx'
import { AppLink } from './AppLink.tsx'
import { routeOf } from './routes.ts'

beforeEach(() => {
  freshBrowser()
  window.history.replaceState(null, '', '/login')
})

function link(props: Partial<React.ComponentProps<typeof AppLink>> = {}) {
  render(
    <AppLink href="/signup" {...props}>
      Go
    </AppLink>,
  )
  return screen.getByRole('link', { name: 'Go' })
}

test('[nav:prefetch] hovering or focusing a link loads its screen', async () => {
  const target = routeOf('/signup')?.view
  if (!target) throw new Error('The sign-up has a screen')
  const load = vi.spyOn(target, 'load')
  const anchor = link()
  await userEvent.hover(anchor)
  expect(load).toHaveBeenCalledTimes(1)
  fireEvent.focus(anchor)
  expect(load).toHaveBeenCalledTimes(2)
})

test('a plain click opens the screen without a page load', async () => {
  await userEvent.click(link())
  expect(address()).toBe('/signup')
})

test.each([
  ['with a modifier', {}, { ctrlKey: true }],
  ['to another tab', { target: '_blank' }, {}],
  ['to another site', { href: 'https://example.com/' }, {}],
  ['to the server', { href: '/api/docs' }, {}],
])('a click %s is left to the browser', (_, props, event) => {
  const anchor = link(props)
  anchor.addEventListener('click', click => click.preventDefault())
  fireEvent.click(anchor, event)
  expect(address()).toBe('/login')
})

test('the caller’s click handler runs first and can cancel the navigation', async () => {
  await userEvent.click(link({ onClick: event => event.preventDefault() }))
  expect(address()).toBe('/login')
})
