import { beforeEach, expect, test, vi } from 'vitest'
import { address, freshBrowser, withTexts } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { type FakeServer, fakeServer } from '../../../test/server.ts'
import { dismiss, snapshot, toast } from '../../ui/overlay/toast.ts'
import { ApiError } from '../api/error.ts'
import { handleFailure } from '../api/failure.ts'
import { dark, followStyle } from '../theme.ts'
import { checkSession } from './check.ts'
import { completeSignIn } from './complete-sign-in.ts'
import { applyPreferences } from './preferences.ts'
import { rememberReturnTo } from './return-to.ts'
import { signOut } from './sign-out.ts'
import { followOtherTabs, keepSession, mergeSession, session } from './store.ts'

let server: FakeServer
beforeEach(async () => {
  freshBrowser()
  await withTexts()
  server = fakeServer()
  dismiss()
  window.history.replaceState(null, '', '/dashboard')
})

/** Titles of the open toasts. */
const openToastTitles = () => snapshot().flatMap(({ open, title }) => (open ? [title] : []))
const stored = () => JSON.parse(localStorage.getItem('plinth.session') ?? 'null')

test('[entity:session_user] stores exactly the specified fields, and never an email address', () => {
  keepSession({ ...sessionUser(), ...{ email: 'mara@northquay.studio' } })
  expect(Object.keys(stored()).sort()).toEqual(
    [
      'accounts',
      'avatar',
      'dark_mode',
      'locale',
      'name',
      'onboarded',
      'permission',
      'plan',
      'subscription',
      'token',
      'verified',
    ].sort(),
  )
  expect(session.get()?.account_id).toBe(sessionUser().account_id)
})

test('sign-out closes the toasts of the user who leaves', () => {
  keepSession(sessionUser())
  server.answer('auth.signOut', { data: {} })
  toast({ title: 'Your password is changed' })
  signOut()
  expect(openToastTitles()).toEqual([])
})

test('[state:session_check] sends nothing without a stored user', async () => {
  await checkSession()
  expect(server.all).toHaveLength(0)
})

test('[state:session_check] authenticated: merges the response into the stored user', async () => {
  keepSession(sessionUser({ plan: null, name: 'Old' }))
  const { token: _, ...answer } = sessionUser({ plan: 'startup', name: 'New', dark_mode: true })
  server.answer('auth.check', { data: { ...answer, authenticated: true } })
  await checkSession()
  expect(session.get()).toMatchObject({ token: 'token-of-mara', plan: 'startup', name: 'New' })
  expect(stored()).toMatchObject({ token: 'token-of-mara', plan: 'startup', name: 'New' })
  expect(document.documentElement).toHaveClass('dark')
})

test('[state:dark-mode] a user without a choice keeps the system’s theme, and nothing is stored', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
  await applyPreferences({ dark_mode: false, dark_mode_chosen: false })
  expect(document.documentElement).toHaveClass('dark')
  expect(localStorage.getItem('plinth.theme')).toBeNull()
  await applyPreferences({ dark_mode: false, dark_mode_chosen: true })
  expect(document.documentElement).not.toHaveClass('dark')
  expect(localStorage.getItem('plinth.theme')).toBe('light')
  vi.unstubAllGlobals()
})

test('[state:session_check] not authenticated: deletes the session and clears the storage', async () => {
  keepSession(sessionUser())
  localStorage.setItem('plinth.theme', 'dark')
  server.answer('auth.check', { data: { authenticated: false } })
  await checkSession()
  expect(session.get()).toBeNull()
  expect(Object.keys(localStorage)).toEqual([])
  expect(openToastTitles()).toEqual(['Your session has ended'])
})

test('[state:session_check] shows no toast to a user who has just ended the session', async () => {
  keepSession(sessionUser())
  server.answer('auth.check', { data: { authenticated: false } })
  await checkSession('knows')
  expect(session.get()).toBeNull()
  expect(openToastTitles()).toEqual([])
})

test('[state:tabs] takes over a newer session of another tab instead of ending', async () => {
  keepSession(sessionUser())
  server.answer('auth.check', () => {
    // This tab has received no storage event yet.
    localStorage.setItem('plinth.session', JSON.stringify(sessionUser({ token: 'token-2' })))
    return { data: { authenticated: false } }
  })
  await checkSession()
  expect(session.get()?.token).toBe('token-2')
  expect(stored()).toMatchObject({ token: 'token-2' })
  localStorage.setItem('plinth.session', JSON.stringify(sessionUser({ token: 'token-3' })))
  handleFailure(new ApiError(401, 'Please sign in'))
  expect(session.get()?.token).toBe('token-3')
  expect(openToastTitles()).toEqual(['Your session was renewed in another tab. Please try again.'])
})

test('[state:tabs] data stored by another tab removes no fields that this tab has in memory', () => {
  const stop = followOtherTabs(() => undefined)
  keepSession(sessionUser())
  const knownAccounts = session.get()?.accounts
  expect(knownAccounts?.[0]?.permission).toBeDefined()
  otherTabWrites(JSON.stringify({ ...stored(), dark_mode: true }))
  expect(session.get()).toMatchObject({ dark_mode: true, accounts: knownAccounts })
  stop()
})

test('[state:tabs] [state:dark-mode] follows the theme chosen in another tab', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  followStyle()
  const changeTheme = (newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key: 'plinth.theme', newValue }))
  changeTheme('dark')
  expect(dark.get()).toBe(true)
  expect(document.documentElement).toHaveClass('dark')
  changeTheme('light')
  expect(document.documentElement).not.toHaveClass('dark')
  changeTheme('dark')
  changeTheme(null)
  expect(dark.get()).toBe(false)
  vi.unstubAllGlobals()
})

test('[state:session_check] without a response the session stays', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  keepSession(sessionUser())
  server.answer('auth.check', new TypeError('Failed to fetch'))
  await checkSession()
  expect(session.get()?.token).toBe('token-of-mara')
})

test('ignores a response about a session that has ended', async () => {
  keepSession(sessionUser())
  server.answer('auth.check', () => {
    keepSession(sessionUser({ token: 'token-of-tomas', name: 'Tomas' }))
    return { data: { authenticated: false } }
  })
  await checkSession()
  expect(session.get()?.name).toBe('Tomas')
})

test('repeats the check when the session changed while the request ran', async () => {
  keepSession(sessionUser({ plan: null }))
  const answer = (plan: string | null) => ({ data: { ...sessionUser({ plan }), authenticated: true } })
  server.answer('auth.check', () => {
    mergeSession({ plan: 'startup' })
    server.answer('auth.check', answer('startup'))
    return answer(null)
  })
  await checkSession()
  expect(session.get()?.plan).toBe('startup')
  expect(server.asked('auth.check')).toHaveLength(2)
})

test('[state:sign_out] clears this browser first, then calls the server with the old token', async () => {
  keepSession(sessionUser())
  sessionStorage.setItem('plinth.draft.x', 'typed')
  server.answer('auth.signOut', asked => {
    expect(asked.headers.get('authorization')).toBe('Bearer token-of-mara')
    expect(session.get()).toBeNull()
    return { data: {} }
  })
  signOut()
  expect(localStorage.getItem('plinth.session')).toBeNull()
  expect(sessionStorage.getItem('plinth.draft.x')).toBeNull()
  expect(address()).toBe('/login')
  await vi.waitFor(() => expect(server.asked('auth.signOut')).toHaveLength(1))
})

test('[state:sign_out] [T-08] offline: clears this browser and calls the server on reconnect', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  keepSession(sessionUser())
  server.answer('auth.signOut', new TypeError('Failed to fetch'))
  signOut()
  expect(Object.keys(localStorage)).toEqual([])
  await vi.waitFor(() => expect(server.asked('auth.signOut')).toHaveLength(1))
  server.answer('auth.signOut', { data: {} })
  await vi.waitFor(() => {
    window.dispatchEvent(new Event('online'))
    expect(server.asked('auth.signOut')).toHaveLength(2)
  })
  expect(server.asked('auth.signOut')[1]?.headers.get('authorization')).toBe('Bearer token-of-mara')
  window.dispatchEvent(new Event('online'))
  expect(server.asked('auth.signOut')).toHaveLength(2)
})

test('[state:sign_out] a user who signs in before the response clears the storage stays signed in', async () => {
  keepSession(sessionUser())
  server.answer('auth.signOut', () => {
    keepSession(sessionUser({ token: 'token-of-tomas', name: 'Tomas' }))
    localStorage.clear()
    return { data: {} }
  })
  signOut()
  await vi.waitFor(() => expect(stored()).toMatchObject({ token: 'token-of-tomas' }))
})

function otherTabWrites(value: string | null) {
  const key = 'plinth.session'
  if (value === null) localStorage.removeItem(key)
  else localStorage.setItem(key, value)
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: value }))
}

test('[state:tabs] a sign-out in another tab signs out here', () => {
  const stop = followOtherTabs(() => undefined)
  keepSession(sessionUser())
  otherTabWrites(null)
  expect(session.get()).toBeNull()
  stop()
})

test('[state:tabs] takes over another user’s sign-in in another tab and runs the callback', () => {
  const changed = vi.fn()
  const stop = followOtherTabs(changed)
  keepSession(sessionUser())
  otherTabWrites(JSON.stringify(sessionUser({ token: 'token-of-tomas', name: 'Tomas' })))
  expect(session.get()?.name).toBe('Tomas')
  expect(changed).toHaveBeenCalledOnce()
  stop()
})

test.each([
  ['not json', '{'],
  ['another shape', '{"token":"x"}'],
  ['an unknown role', JSON.stringify({ ...sessionUser(), permission: 'god' })],
])('a stored user that is %s counts as none', (_, value) => {
  const stop = followOtherTabs(() => undefined)
  keepSession(sessionUser())
  otherTabWrites(value)
  expect(session.get()).toBeNull()
  stop()
})

test.each([
  [{ verified: false }, '/signup/verify'],
  [{ plan: null }, '/signup/plan'],
  [{ onboarded: false }, '/welcome'],
  [{}, '/dashboard'],
])('[state:after_sign_in] %j goes to %s', async (change, expected) => {
  await completeSignIn(sessionUser(change))
  expect(address()).toBe(expected)
})

test('[state:after_sign_in] returns once to the page that a lost session interrupted', async () => {
  window.history.replaceState(null, '', '/account/profile')
  rememberReturnTo(sessionUser().id)
  await completeSignIn(sessionUser())
  expect(address()).toBe('/account/profile')
  await completeSignIn(sessionUser())
  expect(address()).toBe('/dashboard')
})

test('[state:after_sign_in] another user than the one whose session ended starts at the first screen', async () => {
  window.history.replaceState(null, '', '/account/billing')
  rememberReturnTo(sessionUser().id)
  const tomas = sessionUser({ id: '00000000-0000-4000-8000-000000000002', token: 'token-of-tomas' })
  await completeSignIn(tomas)
  expect(address()).toBe('/dashboard')
  // The rejected path is deleted, also for its owner.
  await completeSignIn(sessionUser())
  expect(address()).toBe('/dashboard')
})

test('[state:after_sign_in] without a previous session, any user returns to the requested path', async () => {
  window.history.replaceState(null, '', '/account/profile')
  rememberReturnTo(sessionUser({ id: '00000000-0000-4000-8000-000000000002' }).id)
  rememberReturnTo(null)
  await completeSignIn(sessionUser())
  expect(address()).toBe('/account/profile')
})

test('an unfinished sign-up comes before the return path', async () => {
  window.history.replaceState(null, '', '/account/billing')
  rememberReturnTo(null)
  await completeSignIn(sessionUser({ plan: null }))
  expect(address()).toBe('/signup/plan')
})

test('merging without a session creates none', () => {
  mergeSession({ name: 'Nobody' })
  expect(session.get()).toBeNull()
})
