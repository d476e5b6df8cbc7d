import { roles } from '@plinth/contract/roles'
import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../test/app.tsx'
import { declared } from '../../test/css.ts'
import { profileOf, sessionUser } from '../../test/people.ts'
import { navigate } from '../lib/navigate.ts'
import { layoutViews } from './layouts/views.ts'
import { isOpen, type Layout, routes } from './routes.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function open(path: string, change: Parameters<typeof sessionUser>[0] | null = {}) {
  const user = change && sessionUser(change)
  const page = await visit({ path, user })
  if (user) page.server.answer('profile.read', { data: profileOf(user) })
  page.open()
  await screen.findByRole('main')
  return page
}

const labels = (nav: HTMLElement) =>
  [...nav.querySelectorAll('a[href], button')].map(
    entry => entry.getAttribute('aria-label') ?? entry.textContent,
  )

describe('[layout:four-kinds]', () => {
  test('each route has one of four layouts, and each layout has a view', () => {
    const kinds = new Set<Layout>(routes.map(route => route.layout))
    expect([...kinds].sort()).toEqual(['account', 'app', 'auth', 'onboarding'])
    expect(Object.keys(layoutViews).sort()).toEqual([...kinds].sort())
  })

  test('auth: shows a card and no main navigation', async () => {
    await open('/login', null)
    expect(screen.getByRole('main').querySelector('.auth__card')).not.toBeNull()
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  })

  test.each([
    ['/help', 0],
    ['/account/profile', 2],
  ])('%s has the main navigation and %d account navigations', async (path, count) => {
    await open(path)
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(screen.queryAllByRole('navigation', { name: 'Account' })).toHaveLength(count)
  })

  test('onboarding: shows the steps and no main navigation', async () => {
    await open('/welcome', { onboarded: false })
    expect(screen.getByRole('navigation', { name: 'Steps' })).toBeVisible()
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
  })
})

test.each(['app', 'account', 'auth', 'onboarding'] as const)(
  '[shell:no-view] the %s layout without a view is empty',
  async layout => {
    await visit({ path: '/account', user: sessionUser() })
    const Shell = await layoutViews[layout].load()
    const props = { layout, path: '/account', title: 'Account', children: null }
    const { container } = render(<Shell {...props} />)
    const place = container.querySelector(layout === 'auth' ? '.auth__card' : 'main')
    expect(place).toBeEmptyDOMElement()
  },
)

test('[nav:rail] the main navigation has dashboard and account at the top, help and sign-out below', async () => {
  await open('/help')
  const rail = screen.getByRole('navigation', { name: 'Main' })
  expect(labels(rail)).toEqual(['Plinth', 'Dashboard', 'Account', 'Help', 'Sign out'])
  const gap = rail.querySelector('.rail__gap')
  expect(gap?.previousElementSibling).toHaveAccessibleName('Account')
  expect(gap?.nextElementSibling).toHaveAccessibleName('Help')
  for (const entry of rail.querySelectorAll('.rail__item')) expect(entry.querySelector('svg')).not.toBeNull()
  expect(declared('ui/layout/shell.css', '.rail__gap')).toMatchObject({ flex: '1' })
  expect(declared('ui/layout/shell.css', '.rail', '@media (max-width: 720px)')).toMatchObject({
    display: 'none',
  })
})

describe('the account navigation', () => {
  const both = async () => {
    const page = await open('/account/profile')
    const [list, dropdown] = screen.getAllByRole('navigation', { name: 'Account' })
    if (!list || !dropdown) throw new Error('Both navigations are in the document; the width chooses one')
    return { ...page, list, dropdown }
  }
  const ENTRIES = [
    'Profile',
    'Password',
    'Two-factor',
    'Notifications',
    'Billing',
    'API keys',
    'Users',
    'Single sign-on',
    'Audit log',
  ]

  test('[nav:list] is a vertical list on wide screens and marks the current entry', async () => {
    const { list } = await both()
    expect(labels(list)).toEqual(ENTRIES)
    expect(within(list).getByRole('link', { name: 'Profile' })).toHaveAttribute('aria-current', 'page')
    expect(declared('ui/layout/shell.css', '.subnav')).toMatchObject({ display: 'grid' })
    expect(declared('ui/layout/shell.css', '.navselect')).toMatchObject({ display: 'none' })
  })

  test('[nav:select] is a dropdown on small screens and opens the chosen entry', async () => {
    const { dropdown, keyboard } = await both()
    const choice = within(dropdown).getByRole('combobox', { name: 'Account' })
    expect(choice).toHaveValue('/account/profile')
    expect(
      within(choice)
        .getAllByRole('option')
        .map(option => option.textContent),
    ).toEqual(ENTRIES)
    await keyboard.selectOptions(choice, 'Password')
    await waitFor(() => expect(address()).toBe('/account/password'))
    const small = '@media (max-width: 1024px)'
    expect(declared('ui/layout/shell.css', '.navselect', small)).toMatchObject({ display: 'block' })
    expect(declared('ui/layout/shell.css', '.subnav', small)).toMatchObject({ display: 'none' })
  })

  test('[nav:no-permission] routes without a permission are open to every role', () => {
    const open = routes.filter(route => !route.needs && route.view)
    expect(open.length).toBeGreaterThan(0)
    for (const role of roles) expect(open.filter(route => !isOpen(route.path, role))).toEqual([])
  })
})

test('[layout:auth-card] [const:auth-card.width] a card of 400 pixels in the middle of an animated gradient', async () => {
  await open('/login', null)
  const card = screen.getByRole('main').querySelector('.auth__card')
  expect(card).toContainElement(screen.getByRole('heading', { level: 1, name: 'Sign in' }))
  expect(card?.closest('.auth')).toBeVisible()
  expect(declared('ui/layout/auth-layout.css', '.auth__col')).toMatchObject({
    width: 'min(100%, var(--auth-card))',
    // The logo keeps its position when the card's height changes.
    'align-self': 'start',
  })
  expect(declared('styles/tokens.css', ':root')).toMatchObject({ '--auth-card': '400px' })
  expect(declared('ui/layout/auth-layout.css', '.auth')).toMatchObject({ 'justify-items': 'center' })
  const colours = declared('ui/layout/auth-layout.css', '.auth')
  for (const [sheet, colour] of [
    ['.auth::before', '--ground-far'],
    ['.auth::after', '--ground-near'],
  ] as const) {
    expect(colours[colour]).toContain('radial-gradient')
    expect(declared('ui/layout/auth-layout.css', sheet)).toMatchObject({
      background: `var(${colour})`,
      animation: expect.stringMatching(/^drift /),
    })
  }
  const still = declared(
    'ui/layout/auth-layout.css',
    '.auth::before',
    '@media (prefers-reduced-motion: reduce)',
  )
  expect(still.background).toContain('var(--ground-near), var(--ground-far)')
  expect(declared('ui/layout/auth-layout.css', '.auth::before').inset).toBe('-30%')
  expect(still).toMatchObject({ 'background-size': '160% 160%', 'background-position': 'center' })
  // Typing in the card does not repaint the background.
  expect(still['will-change']).toBe('transform')
})

test('[layout:auth-logo] the logo links to /', async () => {
  await open('/signup', null)
  await userEvent.click(screen.getByRole('link', { name: 'Plinth' }))
  await waitFor(() => expect(address()).toBe('/'))
  expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
})

test('[layout:full-page] a page without a layout is centred on the screen', async () => {
  await open('/nowhere', null)
  const main = screen.getByRole('main')
  expect(main.parentElement?.closest('.app, .auth, .onb')).toBeNull()
  expect(main).toHaveClass('lost')
  expect(declared('ui/layout/not-found-panel.css', '.lost')).toMatchObject({
    'min-height': '100dvh',
    'place-items': 'center',
    'align-content': 'center',
    'text-align': 'center',
  })
})

test('[const:entry-animation] each view enters from below within 300 ms', async () => {
  await open('/account/profile')
  const first = screen.getByRole('main')
  navigate('/account/password')
  expect(await screen.findByRole('heading', { level: 1, name: 'Password' })).toBeVisible()
  expect(screen.getByRole('main')).not.toBe(first)
  const enter = { animation: 'enter var(--dur-3) var(--ease)' }
  expect(declared('ui/layout/shell.css', '.main')).toMatchObject(enter)
  expect(declared('ui/layout/shell.css', '.acct__main')).toMatchObject(enter)
  expect(declared('styles/tokens.css', ':root')).toMatchObject({ '--dur-3': '300ms' })
  expect(declared('ui/layout/shell.css', 'from', '@keyframes enter')).toMatchObject({
    transform: 'translateY(8px)',
  })
})
