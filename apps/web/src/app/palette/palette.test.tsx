import { roles } from '@plinth/contract/roles'
import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, freshBrowser, visit, withTexts } from '../../../test/app.tsx'
import { accountOf, profileOf, sessionUser } from '../../../test/people.ts'
import { closeDialog, openDialog } from '../../lib/dialog.ts'
import { withOverlay } from '../../lib/loading.ts'
import { keepSession } from '../../lib/session/store.ts'
import { redirectOf } from '../guard.ts'
import { routeOf } from '../routes.ts'
import { useActions } from './actions.ts'
import { closePalette, setSingleKeys } from './open.ts'
import { usePlaces } from './places.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => {
  closePalette()
  setSingleKeys(true)
})

async function openAt(path: string, change: Parameters<typeof sessionUser>[0] = {}) {
  const user = sessionUser(change)
  const page = await visit({ path, user })
  page.server.answer('profile.read', { data: profileOf(user) })
  page.open()
  await screen.findByRole('main')
  return page
}
const search = () => screen.findByRole('combobox', { name: 'Search or jump to' })
const closed = () => expect(screen.queryByRole('combobox', { name: 'Search or jump to' })).toBeNull()
const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent?.trim())
const marked = () => screen.getByRole('option', { selected: true }).textContent?.trim()
const CTRL_K = '{Control>}k{/Control}'

describe('the command palette [shell:palette]', () => {
  test('opens by shortcut, takes the focus, announces the count and restores the focus', async () => {
    const { keyboard } = await openAt('/account', { plan: 'startup' })
    const button = screen.getByRole('button', { name: 'Search or jump to' })
    expect(button).toHaveAttribute('aria-keyshortcuts', 'Control+K')
    button.focus()
    await keyboard.keyboard(CTRL_K)
    expect(await search()).toHaveFocus()
    expect(screen.getByRole('status')).toBeEmptyDOMElement()
    await keyboard.keyboard('inv')
    expect(names()).toEqual(['Invite a user', 'Billing / Invoices', 'Users / Invited'])
    expect(screen.getByRole('status')).toHaveTextContent('3 results')
    expect(screen.getByRole('group', { name: 'Actions' })).toContainElement(
      screen.getByRole('option', { name: 'Invite a user' }),
    )
    await keyboard.keyboard('zz')
    expect(screen.queryByRole('listbox')).toBeNull()
    expect(screen.getByText('Nothing matches “invzz”')).toBeVisible()
    expect(screen.getByRole('status')).toHaveTextContent('0 results')
    expect(await search()).toHaveAttribute('aria-expanded', 'false')
    await keyboard.keyboard(CTRL_K)
    closed()
    expect(button).toHaveFocus()
  })

  test('arrows wrap around, Home and End go to the ends, Enter opens the entry', async () => {
    const { keyboard } = await openAt('/account')
    await keyboard.click(screen.getByRole('button', { name: 'Search or jump to' }))
    const field = await search()
    expect(marked()).toBe('Invite a user')
    await keyboard.keyboard('{ArrowUp}')
    expect(marked()).toBe('Help')
    expect(field).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id)
    await keyboard.keyboard('{ArrowDown}{ArrowDown}')
    expect(marked()).toBe('Create API key')
    await keyboard.keyboard('{End}{Home}')
    expect(marked()).toBe('Invite a user')
    await keyboard.keyboard('{End}pass')
    expect(marked()).toBe('Password')
    // This Enter accepts a word of an input method.
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    expect(field).toBeVisible()
    await keyboard.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/account/password'))
    closed()
  })

  test.each([
    ['sso', 'Single sign-on'],
    ['passkey', 'Profile'],
  ])('finds %s', async (query, found) => {
    const { keyboard } = await openAt('/account', { permission: 'owner' })
    await keyboard.click(screen.getByRole('button', { name: 'Search or jump to' }))
    await search()
    await keyboard.keyboard(query)
    expect(marked()).toContain(found)
  })

  test('a click runs the action, going back closes the palette', async () => {
    const { keyboard, server } = await openAt('/account')
    server.answer('profile.update', { data: {} })
    await keyboard.keyboard(CTRL_K)
    await search()
    await keyboard.click(screen.getByRole('option', { name: 'Dark mode' }))
    closed()
    expect(document.documentElement).toHaveClass('dark')
    expect(server.asked('profile.update')[0]?.body).toEqual({ dark_mode: true })
    await keyboard.keyboard(CTRL_K)
    await search()
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
    closed()
  })

  test('focuses the heading on close if nothing had the focus before', async () => {
    const { keyboard } = await openAt('/account')
    act(() => (document.activeElement as HTMLElement).blur()) // as: an element has the focus
    await keyboard.keyboard(CTRL_K)
    await search()
    act(() => closePalette())
    await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: 'Account' })).toHaveFocus())
  })

  test('opens the feedback panel and closes at sign-out', async () => {
    const { keyboard, server } = await openAt('/account')
    server.answer('auth.signOut', { data: {} })
    await keyboard.keyboard(CTRL_K)
    await search()
    await keyboard.keyboard('feedback{Enter}')
    expect(await screen.findByRole('region', { name: /How is Plinth/ })).toBeVisible()
    await keyboard.keyboard(CTRL_K)
    await search()
    await keyboard.keyboard('log out{Enter}')
    await waitFor(() => expect(address()).toBe('/login'))
    closed()
    await keyboard.keyboard(CTRL_K)
    closed()
  })

  test('does not open over a dialog or the loading overlay', async () => {
    const { keyboard } = await openAt('/account')
    act(() => openDialog({ title: 'Leave the team', buttonText: 'Leave' }))
    await screen.findByText('Leave the team')
    await keyboard.keyboard(CTRL_K)
    closed()
    act(() => closeDialog())
    const work = Promise.withResolvers<void>()
    act(() => void withOverlay(work.promise))
    await keyboard.keyboard(CTRL_K)
    closed()
    await act(async () => work.resolve())
    // By the key's position on a keyboard of another script.
    fireEvent.keyDown(document.body, { key: 'ن', code: 'KeyK', ctrlKey: true })
    expect(await search()).toBeVisible()
  })
})

describe('its entries', () => {
  const offered = async (change: Parameters<typeof sessionUser>[0], path = '/account') => {
    freshBrowser()
    window.history.replaceState(null, '', path)
    await withTexts('en', ['global', 'account', 'palette'])
    keepSession(sessionUser(change))
    return {
      places: renderHook(usePlaces).result.current,
      actions: renderHook(useActions).result.current.map(({ label }) => label),
    }
  }

  test('contain no screen that redirects, for every role and account state', async () => {
    for (const permission of roles)
      for (const change of [{}, { verified: false }, { plan: null }, { subscription: 'canceled' }]) {
        const user = sessionUser({ permission, ...change })
        const { places, actions } = await offered({ permission, ...change })
        expect(places.length).toBeGreaterThan(0)
        for (const { key } of places)
          expect(redirectOf(routeOf(key.split('?')[0] ?? key), user), `${permission} at ${key}`).toBeNull()
        const isAdmin = permission !== 'user' && permission !== 'developer'
        const active =
          user.verified && user.plan && (user.subscription === 'active' || permission === 'master')
        expect(actions.includes('Invite a user')).toBe(Boolean(isAdmin && active))
      }
  })

  test('leave out billing, users and API keys for the role user', async () => {
    const { places, actions } = await offered({ permission: 'user' })
    expect(places.map(({ label }) => label)).toEqual([
      'Dashboard',
      'Account',
      'Profile',
      'Password',
      'Two-factor',
      'Notifications',
      'Help',
    ])
    expect(actions).toEqual(['Give feedback', 'Dark mode', 'Keyboard shortcuts', 'Sign out'])
    // The feedback button is only on app screens.
    const welcome = await offered({ permission: 'user' }, '/welcome')
    expect(welcome.actions).toEqual(actions.slice(1))
    const nowhere = await offered({ permission: 'user' }, '/nowhere')
    expect(nowhere.actions).toEqual(actions)
  })

  test('list the billing tabs of the plan', async () => {
    const details = async (plan: string) =>
      (await offered({ plan })).places.filter(({ label }) => label === 'Billing').map(({ detail }) => detail)
    expect(await details('free')).toEqual([undefined, 'Upgrade'])
    expect(await details('startup')).toEqual([undefined, 'Card', 'Invoices', 'Upgrade'])
  })

  test('offer other accounts to switch to; support sessions can’t create API keys', async () => {
    const other = accountOf({ id: '00000000-0000-4000-8000-0000000000a2', name: 'Second Harbour' })
    const several = await offered({ accounts: [accountOf({}), other] })
    expect(several.actions).toContain('Switch to Second Harbour')
    expect(several.actions).not.toContain('Switch to Northquay Studio')
    const support = await offered({ support_until: '2026-09-01T08:00:00.000Z' })
    expect(support.actions).not.toContain('Create API key')
  })
})

describe('the list of shortcuts [shell:shortcuts]', () => {
  const list = () => screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })

  test('? opens it and can be turned off', async () => {
    const { keyboard } = await openAt('/account')
    await keyboard.keyboard('?')
    const one = await screen.findByRole('switch', { name: 'Single-key shortcuts' })
    expect(list()).toHaveTextContent('Search or jump toCtrlK')
    await keyboard.click(one)
    await keyboard.keyboard('{Escape}')
    act(closePalette)
    await keyboard.keyboard('?')
    expect(list()).toBeNull()
    expect(localStorage.getItem('plinth.single_keys')).toBe('off')
    // The palette still finds the setting.
    await keyboard.keyboard(CTRL_K)
    await search()
    await keyboard.keyboard('keyb{Enter}')
    expect(await screen.findByRole('switch')).not.toBeChecked()
    await keyboard.click(screen.getByRole('switch'))
    expect(localStorage.getItem('plinth.single_keys')).toBeNull()
  })

  test('typing ? in a field does not open it', async () => {
    const { keyboard } = await openAt('/account')
    render(
      <>
        <input aria-label="Field" />
        <textarea aria-label="Area" />
        <div contentEditable tabIndex={-1} role="note" />
      </>,
    )
    for (const one of [
      screen.getByLabelText('Field'),
      screen.getByLabelText('Area'),
      screen.getByRole('note'),
    ]) {
      one.focus()
      await keyboard.keyboard('?')
    }
    expect(screen.getByLabelText('Field')).toHaveValue('?')
    fireEvent.keyDown(document.body, { key: '?', isComposing: true })
    fireEvent.keyDown(document.body, { key: '?', ctrlKey: true })
    expect(list()).toBeNull()
  })
})
