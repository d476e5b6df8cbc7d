import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../test/app.tsx'
import { accountOf, profileOf, sessionUser } from '../../test/people.ts'
import { withOverlay } from '../lib/loading.ts'
import { navigate } from '../lib/navigate.ts'
import { checkSession } from '../lib/session/check.ts'
import { completeSignIn } from '../lib/session/complete-sign-in.ts'
import { recheckSession } from '../lib/session/recheck.ts'
import { session } from '../lib/session/store.ts'
import { snapshot } from '../ui/overlay/toast.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function signedIn(change: Parameters<typeof sessionUser>[0] = {}, path = '/account/profile') {
  const user = sessionUser(change)
  const page = await visit({ path, user })
  page.server.answer('profile.read', { data: profileOf(user) })
  page.open()
  return { ...page, user }
}

test('[error:401] the toast about an ended session stays until the next sign-in', async () => {
  const { server } = await signedIn({}, '/help')
  const endedToast = () => snapshot().find(one => one.open && one.title === 'Your session has ended')
  server.answer('auth.check', { data: { authenticated: false } })
  await act(() => checkSession())
  await waitFor(() => expect(address()).toBe('/login'))
  expect(endedToast()).toBeDefined()
  await act(() => completeSignIn(sessionUser()))
  expect(endedToast()).toBeUndefined()
})

describe('the app shell', () => {
  test('[shell:title] sets the document’s title in the user’s language', async () => {
    const { open } = await visit({ path: '/', language: 'de' })
    open()
    expect(await screen.findByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
    expect(document.title).toBe('Anmelden · Plinth')
  })

  test.each(['/nowhere', '/notfound', '/404', '/account/apikeys/nowhere'])(
    '[screen:404] %s shows the 404 page',
    async path => {
      const { open } = await visit({ path, user: sessionUser() })
      open()
      expect(await screen.findByRole('heading', { level: 2, name: 'There’s nothing here' })).toBeVisible()
      // Signed-in users keep the navigation.
      expect(screen.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
      expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
      expect(screen.getByText(/The address may be mistyped/)).toBeVisible()
      expect(screen.getByRole('link', { name: 'Go to the dashboard' })).toHaveAttribute('href', '/dashboard')
      expect(document.title).toBe('Page not found · Plinth')
    },
  )

  test('[screen:404] without a session the page has no navigation', async () => {
    const { open, keyboard } = await visit({ path: '/nowhere' })
    open()
    expect(await screen.findByRole('heading', { level: 1, name: 'There’s nothing here' })).toBeVisible()
    expect(screen.queryByRole('navigation')).toBeNull()
    expect(document.title).toBe('Page not found · Plinth')
    await keyboard.click(screen.getByRole('link', { name: 'Go to sign-in' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    expect(address()).toBe('/login')
  })

  test('[shell:focus] a link opens its screen without a page load and focuses the new heading', async () => {
    const { open, keyboard } = await visit({ path: '/' })
    open()
    await keyboard.click(await screen.findByRole('link', { name: 'Create an account' }))
    const heading = await screen.findByRole('heading', { level: 1, name: 'Create your account' })
    expect(address()).toBe('/signup')
    await waitFor(() => expect(heading).toHaveFocus())
    act(() => window.history.back())
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
  })

  test('[shell:skip] the first Tab stop skips the navigation', async () => {
    const { open, keyboard } = await visit({ path: '/' })
    open()
    await screen.findByLabelText('Email')
    // Like after a page load: nothing has the focus yet.
    act(() => (document.activeElement as HTMLElement).blur()) // as: the heading has the focus
    await keyboard.tab()
    expect(screen.getByRole('button', { name: 'Skip to content' })).toHaveFocus()
    await keyboard.keyboard('{Enter}')
    expect(screen.getByRole('main')).toHaveFocus()
  })

  test('[shell:h1] has one h1 and named landmarks', async () => {
    await signedIn()
    await screen.findByLabelText('First name')
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(screen.getAllByRole('navigation', { name: 'Account' })).not.toHaveLength(0)
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#main')
  })

  test('[shell:overlay] covers the page until the work is done', async () => {
    const { open } = await visit({ path: '/' })
    open()
    await screen.findByRole('heading', { level: 1 })
    let finish = () => undefined as undefined
    const work = new Promise<void>(resolve => {
      finish = () => void resolve()
    })
    act(() => void withOverlay(work))
    expect(await screen.findByText('Loading')).toBeInTheDocument()
    await act(async () => finish())
    await waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
  })
})

describe('the guard', () => {
  test('[state:guard] sends a visitor to /login and returns after the sign-in', async () => {
    const { open, server, keyboard } = await visit({ path: '/account/profile' })
    const user = sessionUser()
    server.answer('auth.signIn', { data: user }).answer('profile.read', { data: profileOf(user) })
    open()
    await keyboard.type(await screen.findByLabelText('Email'), 'mara@northquay.studio')
    expect(address()).toBe('/login')
    await keyboard.type(screen.getByLabelText('Password'), 'stone!123')
    await keyboard.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
    expect(address()).toBe('/account/profile')
  })

  test('[state:guard] another user does not land on the page of the one whose session ended', async () => {
    const { server } = await signedIn({}, '/help')
    server.answer('auth.check', { data: { authenticated: false } })
    await act(() => checkSession())
    await waitFor(() => expect(address()).toBe('/login'))
    await act(() =>
      completeSignIn(sessionUser({ id: '00000000-0000-4000-8000-000000000002', token: 'another' })),
    )
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })

  test('[state:session_check] an invalid session ends at /login', async () => {
    const { server } = await signedIn()
    await screen.findByLabelText('First name')
    server.answer('auth.check', { data: { authenticated: false } })
    await act(() => checkSession())
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    expect(address()).toBe('/login')
  })

  test.each(['screen', 'focus'])(
    'a role changed elsewhere is found at the next %s, once in 15 s',
    async at => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const stop = recheckSession()
      const { server, user } = await signedIn({ permission: 'admin' })
      await screen.findByLabelText('First name')
      server.answer('auth.check', { data: { ...user, permission: 'owner', authenticated: true } })
      const trigger = () =>
        act(async () => {
          if (at === 'screen') navigate('/account/2fa')
          else window.dispatchEvent(new Event('focus'))
        })
      await trigger()
      expect(server.asked('auth.check')).toHaveLength(0)
      vi.setSystemTime(Date.now() + 15_000)
      await trigger()
      expect(await screen.findByRole('link', { name: 'Billing' })).toBeVisible()
      await trigger()
      expect(server.asked('auth.check')).toHaveLength(1)
      stop()
      vi.useRealTimers()
    },
  )

  test('[state:guard] [route:permission_denied] shows one toast on the first screen to a user without the role', async () => {
    await signedIn({ permission: 'user' }, '/account/billing')
    const toasts = await screen.findAllByText('You don’t have permission to see that page')
    expect(toasts).toHaveLength(1)
    expect(address()).toBe('/dashboard')
  })

  test('[state:guard] shows no toast to a user who switches to an account without access to the screen', async () => {
    const other = accountOf({ id: '00000000-0000-4000-8000-0000000000a2', permission: 'user' })
    const { user } = await signedIn({}, '/account/users')
    await screen.findByRole('heading', { level: 1, name: 'Users' })
    await act(() => completeSignIn({ ...user, token: 'token-2', permission: 'user', account_id: other.id }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    const toasts = snapshot().flatMap(({ open, title }) => (open ? [title] : []))
    expect(toasts).not.toContain('You don’t have permission to see that page')
  })

  test('[state:after_sign_in] returning to a page after the sign-in shows no other screen in between', async () => {
    const { user, server } = await signedIn()
    await screen.findByLabelText('First name')
    server.answer('auth.check', { data: { authenticated: false } })
    await act(() => checkSession())
    await screen.findByRole('heading', { level: 1, name: 'Sign in' })
    const replaceState = vi.spyOn(window.history, 'replaceState')
    await act(() => completeSignIn({ ...user, token: 'token-2', locale: 'de' }))
    expect(await screen.findByLabelText('Vorname')).toBeVisible()
    expect(replaceState.mock.calls.map(([, , to]) => to)).toEqual(['/account/profile'])
    replaceState.mockRestore()
  })

  test('[state:guard] opens the first screen instead of / for a signed-in user', async () => {
    await signedIn({ verified: false }, '/')
    expect(await screen.findByRole('heading', { level: 1, name: 'Verify your email' })).toBeVisible()
    expect(address()).toBe('/signup/verify')
  })
})

describe('the app layout', () => {
  test('[menu:user] shows the user, Edit Account, the theme and Signout; no switch with one account', async () => {
    const { keyboard } = await signedIn()
    await keyboard.click(await screen.findByRole('button', { name: 'Your menu' }))
    const menu = await screen.findByRole('menu')
    expect(
      within(menu)
        .getAllByRole('menuitem')
        .map(item => item.textContent),
    ).toEqual(['Edit Account', 'Help', 'Dark mode', 'Signout'])
    expect(within(menu).queryByText('Switch account')).toBeNull()
  })

  test('[menu:switch] switches between several accounts', async () => {
    const other = accountOf({ id: '00000000-0000-4000-8000-0000000000a2', name: 'Cortecalce' })
    const { keyboard, server, user } = await signedIn({ accounts: [...sessionUser().accounts, other] })
    const switched = { ...user, token: 'token-2', account_id: other.id, verified: false }
    server.answer('auth.switchAccount', { data: switched })
    await keyboard.click(await screen.findByRole('button', { name: 'Your menu' }))
    await keyboard.click(await screen.findByRole('menuitemcheckbox', { name: 'Cortecalce' }))
    await waitFor(() => expect(address()).toBe('/signup/verify'))
    expect(server.asked('auth.switchAccount')[0]?.body).toEqual({ account: other.id })
    expect(session.get()?.token).toBe('token-2')
  })

  test('[menu:switch] a removed member stays on the page, sees a toast and can no longer switch to it', async () => {
    const other = accountOf({ id: '00000000-0000-4000-8000-0000000000a2', name: 'Cortecalce' })
    const accounts = [...sessionUser().accounts, other]
    const { keyboard, server, user } = await signedIn({ accounts })
    const at = address()
    const json = { message: 'There is no such account', code: 'account_unknown' }
    server.answer('auth.switchAccount', { status: 404, json })
    server.answer('auth.check', { data: { ...user, accounts: sessionUser().accounts, authenticated: true } })
    await keyboard.click(await screen.findByRole('button', { name: 'Your menu' }))
    await keyboard.click(await screen.findByRole('menuitemcheckbox', { name: 'Cortecalce' }))
    expect(await screen.findByText('You are no longer in that account')).toBeVisible()
    expect(address()).toBe(at)
    await waitFor(() => expect(session.get()?.accounts).toHaveLength(1))
  })

  test('[menu:switch] accounts of the same name also show role and time; others show the name only', async () => {
    const own = sessionUser().accounts
    const id = (n: number) => `00000000-0000-4000-8000-0000000000a${n}`
    const same = accountOf({ id: id(2), permission: 'admin', since: '2026-10-03T09:30:00.000Z' })
    const other = accountOf({ id: id(3), name: 'Cortecalce' })
    const { keyboard } = await signedIn({ accounts: [...own, same, other] })
    await keyboard.click(await screen.findByRole('button', { name: 'Your menu' }))
    const names = (await screen.findAllByRole('menuitemcheckbox')).map(item => item.textContent)
    expect(names).toEqual([
      expect.stringMatching(/^Northquay StudioOwner · since .*Sep.* 2026/),
      expect.stringMatching(/^Northquay StudioAdministrator · since .*Oct.* 2026/),
      'Cortecalce',
    ])
  })

  test('[state:dark_mode] switches at once, is saved, and switches back if saving fails', async () => {
    const { keyboard, server, user } = await signedIn()
    server.answer('profile.update', { data: profileOf(user, { dark_mode: true }) })
    await keyboard.click(await screen.findByRole('button', { name: 'Your menu' }))
    await keyboard.click(await screen.findByRole('menuitem', { name: 'Dark mode' }))
    expect(document.documentElement).toHaveClass('dark')
    await waitFor(() => expect(server.asked('profile.update')[0]?.body).toEqual({ dark_mode: true }))
    expect(session.get()?.dark_mode).toBe(true)
    server.answer('profile.update', { status: 500, json: { message: 'Not now' } })
    await keyboard.click(screen.getByRole('button', { name: 'Your menu' }))
    await keyboard.click(await screen.findByRole('menuitem', { name: 'Light mode' }))
    expect(await screen.findByText('Not now')).toBeVisible()
    expect(document.documentElement).toHaveClass('dark')
  })

  test('[menu:signout] signs out', async () => {
    const { keyboard, server } = await signedIn()
    server.answer('auth.signOut', { data: {} })
    await keyboard.click(await screen.findByRole('button', { name: 'Your menu' }))
    await keyboard.click(await screen.findByRole('menuitem', { name: 'Signout' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible()
    expect(session.get()).toBeNull()
    expect(server.asked('auth.signOut')[0]?.headers.get('authorization')).toBe('Bearer token-of-mara')
  })

  test('[nav:drawer] the menu on small screens opens, shows the user and closes', async () => {
    const { keyboard } = await signedIn()
    await keyboard.click(await screen.findByRole('button', { name: 'Open menu' }))
    const drawer = await screen.findByRole('dialog', { name: 'Menu' })
    expect(within(drawer).getByText('Mara Aldous')).toBeVisible()
    expect(within(drawer).getByRole('button', { name: 'Sign out' })).toBeVisible()
    await keyboard.click(within(drawer).getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull())
  })

  test('the navigation stays mounted while the next screen loads', async () => {
    await signedIn()
    const rail = await screen.findByRole('navigation', { name: 'Main' })
    act(() => navigate('/account/profile?tab=2'))
    expect(screen.getByRole('navigation', { name: 'Main' })).toBe(rail)
  })
})
