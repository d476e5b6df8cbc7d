import type { Device } from '@plinth/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../test/people.ts'
import { takeLinkToken } from '../../lib/link-token.ts'
import { session } from '../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const here: Device = {
  id: '00000000-0000-4000-8000-0000000000d1',
  current: true,
  browser: 'Firefox',
  system: 'macOS',
  network: '203.0.113.x',
  method: 'password',
  created_at: '2026-11-01T08:00:00.000Z',
  last_used_at: new Date().toISOString(),
}
const phone: Device = {
  ...here,
  id: '00000000-0000-4000-8000-0000000000d2',
  current: false,
  browser: 'Safari',
  system: 'iPhone',
  method: 'magic',
  last_used_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
}
const nameless: Device = {
  ...phone,
  id: '00000000-0000-4000-8000-0000000000d3',
  browser: null,
  system: null,
  network: null,
  method: 'of the future',
}

async function profile(
  devices: Device[],
  change: Parameters<typeof sessionUser>[0] = {},
  { broken = false } = {},
) {
  const user = sessionUser(change)
  const visitor = await visit({ path: '/account/profile', user })
  const answers = { devices, broken }
  visitor.server
    .answer('profile.read', { data: profileOf(user) })
    .answer('settings.read', { data: { inbox_url: null, social: [] } })
    .answer('social.identities', { data: [] })
    .answer('sessions.list', () =>
      answers.broken ? { status: 500, json: { message: 'The roof is leaking' } } : { data: answers.devices },
    )
  visitor.open()
  await screen.findByLabelText('First name')
  return { ...visitor, answers }
}
/** The test server identifies a call with an id in its path by its URL. */
const endPhone = `DELETE /api/user/sessions/${phone.id}`
const section = () => screen.findByRole('region', { name: 'Devices' })
const lines = async () => within(await section()).findAllByRole('listitem')
const count = () => within(screen.getByRole('region', { name: 'Devices' })).queryAllByRole('listitem').length

describe('[screen:profile.devices] the list of devices', () => {
  test('a single device is marked as this one and can’t be ended', async () => {
    await profile([here])
    const [line] = await lines()
    expect(line).toHaveTextContent('Firefox on macOSThis device')
    expect(line).toHaveTextContent('Password · 203.0.113.x · since Nov 1, 2026')
    expect(within(await section()).queryByRole('button')).toBeNull()
    expect(await screen.findByText('You’re not signed in anywhere else.')).toBeVisible()
  })

  test('several devices show their details and last use', async () => {
    await profile([here, phone, nameless])
    const [, second, third] = await lines()
    expect(second).toHaveTextContent('Safari on iPhone')
    expect(second).toHaveTextContent('Last used 3 hours ago · Email link')
    expect(third).toHaveTextContent('Unknown device')
    expect(third).toHaveTextContent('Sign-in · since')
  })

  test('asks before ending one, whose row disappears at once', async () => {
    const { keyboard, server, answers } = await profile([here, phone])
    let answer: (answers: { data: object }) => void = () => undefined
    server.answer(endPhone, () => new Promise(resolve => (answer = resolve)))
    await keyboard.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Sign out Safari on iPhone?' })
    await keyboard.click(within(dialog).getByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(count()).toBe(1))
    expect(server.asked(endPhone)).toHaveLength(1)
    answers.devices = [here]
    answer({ data: {} })
    expect(await screen.findByText('Safari on iPhone signed out')).toBeVisible()
    expect(await screen.findByText('You’re not signed in anywhere else.')).toHaveFocus()
  })

  test('with more rows left, the next one takes the focus', async () => {
    const { keyboard, server, answers } = await profile([here, phone, nameless])
    server.answer(endPhone, () => {
      answers.devices = [here, nameless]
      return { data: {} }
    })
    await keyboard.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    const dialog = await screen.findByRole('alertdialog')
    await keyboard.click(within(dialog).getByRole('button', { name: 'Sign out' }))
    await waitFor(() => expect(count()).toBe(2))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Sign out Unknown device' })).toHaveFocus())
  })

  test('cancelling the question ends nothing', async () => {
    const { keyboard, server } = await profile([here, phone])
    await keyboard.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    await keyboard.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(server.asked(endPhone)).toHaveLength(0)
    expect(await lines()).toHaveLength(2)
  })

  test('a row whose call failed returns with the error', async () => {
    const { keyboard, server } = await profile([here, phone])
    server.answer(endPhone, { status: 503, json: { message: 'We are very busy.', code: 'busy' } })
    await keyboard.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    await keyboard.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sign out' }),
    )
    expect(await screen.findByText('We are very busy.')).toBeVisible()
    await waitFor(() => expect(count()).toBe(2))
  })

  test('a session that had ended already is no error', async () => {
    const { keyboard, server, answers } = await profile([here, phone])
    answers.devices = [here]
    server.answer(endPhone, { status: 404, json: { message: 'Nothing here', code: 'not_found' } })
    await keyboard.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    await keyboard.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sign out' }),
    )
    expect(await screen.findByText('You’re not signed in anywhere else.')).toBeVisible()
    expect(address()).toBe('/account/profile')
  })

  test.each([
    [[here, phone], 'Sign out 1 other device?', '1 device signed out'],
    [[here, phone, nameless], 'Sign out 2 other devices?', '2 devices signed out'],
  ])('all other sessions end together', async (devices, question, done) => {
    const { keyboard, server, answers } = await profile(devices)
    server.answer('sessions.endOthers', () => {
      answers.devices = [here]
      return { data: { ended: devices.length - 1 } }
    })
    await keyboard.click(await screen.findByRole('button', { name: 'Sign out all other devices' }))
    const dialog = await screen.findByRole('alertdialog', { name: question })
    await keyboard.click(within(dialog).getByRole('button', { name: 'Sign out' }))
    expect(await screen.findByText(done)).toBeVisible()
    expect(screen.getByText('You’re not signed in anywhere else.')).toHaveFocus()
    expect(await lines()).toHaveLength(1)
  })

  test('[error:fetch] a failed load can be retried', async () => {
    const { keyboard, answers } = await profile([here], {}, { broken: true })
    expect(await screen.findByText('Your devices didn’t load.')).toBeVisible()
    answers.broken = false
    await keyboard.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await lines()).toHaveLength(1)
  })

  test('support does not see the list', async () => {
    const { server } = await profile([here], { support_until: '2026-11-20T22:00:00.000Z' })
    expect(screen.queryByRole('region', { name: 'Devices' })).toBeNull()
    expect(server.asked('sessions.list')).toHaveLength(0)
  })
})

describe('[route:/signin/end] the link of a new-device mail', () => {
  async function follow(
    path = '/signin/end?token=secret-of-the-link',
    user?: ReturnType<typeof sessionUser>,
  ) {
    const visitor = await visit({ path, ...(user ? { user } : {}) })
    takeLinkToken()
    visitor.open()
    await screen.findByRole('heading', { level: 1, name: /Wasn’t that you\?|This Link No Longer Works/ })
    return visitor
  }
  const button = () => screen.findByRole('button', { name: 'Sign out all devices' })

  test('[security:token] removes the secret from the URL, and a click ends the sessions', async () => {
    const { server, keyboard } = await follow()
    expect(address()).toBe('/signin/end')
    expect(server.all).toHaveLength(0)
    server.answer('sessions.endByLink', { data: {} })
    await keyboard.click(await button())
    expect(await screen.findByText('All devices are signed out')).toBeVisible()
    // The pressed button is gone, so the result has the focus.
    expect(screen.getByRole('status')).toHaveFocus()
    expect(server.asked('sessions.endByLink')[0]?.body).toEqual({ token: 'secret-of-the-link' })
    expect(screen.getByRole('link', { name: 'Choose a new password' })).toHaveAttribute(
      'href',
      '/forgotpassword',
    )
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('secret-of-the-link')
  })

  test('a used or expired link says so', async () => {
    const { server, keyboard } = await follow()
    server.answer('sessions.endByLink', { status: 422, json: { message: 'Expired', code: 'link_expired' } })
    await keyboard.click(await button())
    expect(await screen.findByText('This Link No Longer Works')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveFocus()
  })

  test('a link without a secret can end nothing', async () => {
    await follow('/signin/end')
    expect(await screen.findByText('This Link No Longer Works')).toBeVisible()
  })

  test('without an answer the link can be tried again', async () => {
    const { server, keyboard } = await follow()
    server.answer('sessions.endByLink', new TypeError('Failed to fetch'))
    await keyboard.click(await button())
    expect(await screen.findByText(/The server did not answer/)).toBeVisible()
    expect(await button()).toBeEnabled()
  })

  test('ending one’s own session signs out here', async () => {
    const { server, keyboard } = await follow('/signin/end?token=own', sessionUser())
    server.answer('sessions.endByLink', { data: {} }).answer('auth.check', { data: { authenticated: false } })
    await keyboard.click(await button())
    await waitFor(() => expect(session.get()).toBeNull())
    expect(await screen.findByText('All devices are signed out')).toBeVisible()
  })
})
