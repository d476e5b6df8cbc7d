import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { accountOf, profileOf, sessionUser } from '../../../../test/people.ts'
import { session } from '../../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function profile(change: Parameters<typeof sessionUser>[0] = {}, more: Record<string, unknown> = {}) {
  const user = sessionUser(change)
  const visitor = await visit({ path: '/account/profile', user })
  visitor.server.answer('profile.read', { data: profileOf(user, more) }).answer('sessions.list', { data: [] })
  visitor.open()
  await screen.findByLabelText('First name')
  return { ...visitor, user }
}
const saveButtons = () => screen.getAllByRole('button', { name: 'Save changes' })
const press = (at: number) => {
  const button = saveButtons()[at]
  if (!button) throw new Error('There is no such button')
  return button
}

describe('[route:/account/profile]', () => {
  test('saves the names and shows them everywhere', async () => {
    const { keyboard, server, user } = await profile()
    server.answer('profile.update', { data: profileOf(user, { first_name: 'Maria', name: 'Maria Aldous' }) })
    await keyboard.clear(screen.getByLabelText('First name'))
    await keyboard.type(screen.getByLabelText('First name'), 'Maria')
    await keyboard.click(press(0))
    expect(await screen.findByText('Profile saved')).toBeVisible()
    expect(server.asked('profile.update')[0]?.body).toEqual({ first_name: 'Maria' })
    expect(session.get()?.name).toBe('Maria Aldous')
  })

  test.each([
    [0, 'Profile saved'],
    [1, 'Account name saved'],
  ])('unchanged fields are not sent, so that an old tab overwrites nothing newer: %i', async (at, said) => {
    const { keyboard, server } = await profile()
    await keyboard.click(press(at))
    expect(await screen.findByText(said)).toBeVisible()
    expect(server.asked('profile.update')).toEqual([])
  })

  test('[rule:profile.required] first name, last name and email are required', async () => {
    const { keyboard } = await profile({ verified: false })
    for (const label of ['First name', 'Last name', 'Email'])
      await keyboard.clear(screen.getByLabelText(label))
    await keyboard.click(press(0))
    for (const label of ['First name', 'Last name', 'Email']) {
      expect(await screen.findByText(`${label} is required`)).toBeVisible()
    }
  })

  test('a new address leads to its verification, and the user stays verified', async () => {
    const { keyboard, server, user } = await profile()
    const waiting = profileOf(user, { verified: false, pending_email: 'new@northquay.studio' })
    server.answer('profile.update', { data: waiting })
    await keyboard.clear(screen.getByLabelText('Email'))
    await keyboard.type(screen.getByLabelText('Email'), 'new@northquay.studio')
    await keyboard.click(press(0))
    await waitFor(() => expect(address()).toBe('/signup/verify'))
    expect(server.asked('profile.update')[0]?.body).toMatchObject({ email: 'new@northquay.studio' })
    expect(session.get()).toMatchObject({ verified: true, email_pending: true })
    expect(await screen.findByText(/We sent a link to new@northquay\.studio/)).toBeVisible()
    expect(screen.getByText(/Until then, keep signing in with mara@northquay\.studio/)).toBeVisible()
  })

  test('a new address asks for a step-up in place', async () => {
    const { keyboard, server, user } = await profile()
    server.answer('profile.update', {
      status: 403,
      json: { message: 'Enter your password to go on.', code: 'proof_required', inputError: 'password' },
    })
    await keyboard.clear(screen.getByLabelText('Email'))
    await keyboard.type(screen.getByLabelText('Email'), 'new@northquay.studio')
    await keyboard.click(press(0))
    await keyboard.type(await screen.findByLabelText('Your password'), 'stone!123')
    server.answer('profile.update', {
      data: profileOf(user, { verified: false, pending_email: 'new@northquay.studio' }),
    })
    await keyboard.click(press(0))
    await waitFor(() => expect(address()).toBe('/signup/verify'))
    expect(server.asked('profile.update')[1]?.body).toMatchObject({ password: 'stone!123' })
  })

  test('a pending address is shown, with a link to confirm it or keep the old one', async () => {
    await profile({}, { pending_email: 'new@northquay.studio' })
    expect(screen.getByText('new@northquay.studio is waiting for confirmation')).toBeVisible()
    expect(screen.getByRole('link', { name: 'Confirm or keep the old one' })).toHaveAttribute(
      'href',
      '/signup/verify',
    )
  })

  test('[screen:profile.fields] the default account is saved at once, and restored when saving fails', async () => {
    const other = accountOf({ id: '00000000-0000-4000-8000-0000000000a2', name: 'Southquay' })
    const own = sessionUser().accounts
    const { keyboard, server, user } = await profile({ accounts: [...own, other] })
    server.answer('profile.update', { data: profileOf(user, { default_account: other.id }) })
    expect(screen.getByLabelText('Default account')).toHaveAccessibleDescription(/You belong to 2 accounts/)
    await keyboard.selectOptions(screen.getByLabelText('Default account'), 'Southquay')
    await waitFor(() =>
      expect(server.asked('profile.update')[0]?.body).toEqual({ default_account: other.id }),
    )
    server.answer('profile.update', { status: 500, json: { message: 'The roof is leaking' } })
    await keyboard.selectOptions(screen.getByLabelText('Default account'), 'Northquay Studio')
    expect(await screen.findByText('The roof is leaking')).toBeVisible()
    expect(screen.getByLabelText('Default account')).toHaveValue(other.id)
  })

  test('with one account there is no default account to choose', async () => {
    await profile()
    expect(screen.queryByLabelText('Default account')).toBeNull()
  })

  test('a corrected address that is unverified leads to the verification', async () => {
    const { keyboard, server, user } = await profile({ verified: false })
    server.answer('profile.update', { data: profileOf(user, { email: 'new@northquay.studio' }) })
    await keyboard.clear(screen.getByLabelText('Email'))
    await keyboard.type(screen.getByLabelText('Email'), 'new@northquay.studio')
    await keyboard.click(press(0))
    await waitFor(() => expect(address()).toBe('/signup/verify'))
    expect(server.asked('profile.update')[0]?.body).toMatchObject({ email: 'new@northquay.studio' })
  })

  test('[screen:profile.account-name] an owner renames the account, and the list of accounts follows', async () => {
    const { keyboard, server, user } = await profile()
    server.answer('profile.update', { data: profileOf(user, { account_name: 'Southquay' }) })
    await keyboard.clear(screen.getByLabelText('Account name'))
    await keyboard.type(screen.getByLabelText('Account name'), 'Southquay')
    await keyboard.click(press(1))
    await waitFor(() => expect(session.get()?.accounts[0]?.name).toBe('Southquay'))
    expect(await screen.findByText('Account name saved')).toBeVisible()
    expect(server.asked('profile.update')[0]?.body).toEqual({ account_name: 'Southquay' })
  })

  test('[screen:profile.account-name] other members see no account name', async () => {
    await profile({ permission: 'developer' }, { account_name: undefined })
    expect(screen.queryByLabelText('Account name')).toBeNull()
    expect(saveButtons()).toHaveLength(1)
  })

  test('[state:dark_mode] the dark mode switch acts at once and is saved', async () => {
    const { keyboard, server, user } = await profile()
    server.answer('profile.update', { data: profileOf(user, { dark_mode: true }) })
    await keyboard.click(screen.getByRole('switch', { name: 'Dark mode' }))
    expect(document.documentElement).toHaveClass('dark')
    await waitFor(() => expect(server.asked('profile.update')[0]?.body).toEqual({ dark_mode: true }))
  })

  test('[i18n:locale] the language changes the page at once, and back when saving fails', async () => {
    const { keyboard, server, user } = await profile()
    server.answer('profile.update', { data: profileOf(user, { locale: 'de' }) })
    await keyboard.selectOptions(screen.getByLabelText('Language'), 'de')
    expect(await screen.findByRole('heading', { level: 1, name: 'Profil' })).toBeVisible()
    await waitFor(() => expect(server.asked('profile.update')[0]?.body).toEqual({ locale: 'de' }))
    expect(session.get()?.locale).toBe('de')
    server.answer('profile.update', { status: 500, json: { message: 'Geht gerade nicht' } })
    await keyboard.selectOptions(screen.getByLabelText('Sprache'), 'en')
    expect(await screen.findByText('Geht gerade nicht')).toBeVisible()
    expect(await screen.findByRole('heading', { level: 1, name: 'Profil' })).toBeVisible()
  })

  test('[error:fetch] a failed load says so and can be retried', async () => {
    const user = sessionUser()
    const visitor = await visit({ path: '/account/profile', user })
    visitor.server.answer('profile.read', { status: 500, json: { message: 'The roof is leaking' } })
    visitor.open()
    expect(await screen.findByText('Your profile didn’t load')).toBeVisible()
    visitor.server.answer('profile.read', { data: profileOf(user) })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('First name')).toHaveValue('Mara')
  })

  test('[state:form.nothing_lost] a draft survives a session that ends while saving', async () => {
    const { keyboard, server, user } = await profile()
    server
      .answer('profile.update', { status: 401, json: { message: 'Sign in again', code: 'session_required' } })
      .answer('auth.signIn', { data: { ...user, token: 'token-2' } })
    await keyboard.type(screen.getByLabelText('First name'), ' Lou')
    await keyboard.click(press(0))
    await keyboard.type(await screen.findByLabelText('Password'), 'stone!123')
    await keyboard.type(screen.getByLabelText('Email'), 'mara@northquay.studio')
    await keyboard.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByLabelText('First name')).toHaveValue('Mara Lou')
  })
})
