import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../test/people.ts'
import { priceList, subscriptionOf } from '../../../test/plans.ts'
import { session } from '../../lib/session/store.ts'

const roles = { admin: { label: 'Administrator' }, user: { label: 'User' } }
const invite = (email: string) => ({
  id: crypto.randomUUID(),
  email,
  permission: 'user',
  date_sent: '2026-11-20T10:00:00.000Z',
  result: 'sent',
})

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function welcome(change: Parameters<typeof sessionUser>[0] = {}, path = '/welcome') {
  const user = sessionUser({ onboarded: false, ...change })
  const page = await visit({ path, user })
  page.server
    .answer('team.permissions', { data: roles })
    .answer('billing.plans', { data: priceList({ active: 'free' }) })
    .answer('billing.subscription', { data: subscriptionOf() })
    .answer('profile.update', { data: profileOf(user, { onboarded: true }) })
    .answer('profile.read', { data: profileOf(user) })
    .answer('events.track', { data: {} })
  page.open()
  await screen.findByRole('heading', { level: 1 })
  return { ...page, user }
}

const heading = () => screen.getByRole('heading', { level: 1 })
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const steps = () => within(screen.getByRole('navigation', { name: 'Steps' })).getAllByRole('button')

describe('[route:/welcome]', () => {
  test('[screen:onboarding.welcome-step] [screen:onboarding.buttons] [const:onboarding.per-page] one step per page, with Next, Prev and Finish', async () => {
    const { keyboard } = await welcome()
    expect(heading()).toHaveTextContent('Welcome, Mara')
    expect(screen.queryByRole('button', { name: 'Prev' })).not.toBeInTheDocument()
    await keyboard.click(button('Next'))
    expect(address()).toBe('/welcome?page=2')
    expect(heading()).toHaveTextContent('Invite your team')
    expect(heading()).toHaveFocus()
    expect(screen.getByRole('img', { name: 'Step 2 of 2' })).toBeVisible()
    expect(button('Finish')).toBeVisible()
    await keyboard.click(button('Prev'))
    expect(heading()).toHaveTextContent('Welcome, Mara')
  })

  test('[layout:onboarding-steps] each step of the list opens its page', async () => {
    const { keyboard } = await welcome()
    const [, second] = steps()
    if (second) await keyboard.click(second)
    expect(address()).toBe('/welcome?page=2')
    expect(steps()[1]).toHaveAttribute('aria-current', 'step')
    act(() => window.history.back())
    await waitFor(() => expect(heading()).toHaveTextContent('Welcome, Mara'))
  })

  test('[screen:onboarding.duplicate-step] a user with an earlier account reads a warning first', async () => {
    await welcome({ duplicate_user: true })
    expect(heading()).toHaveTextContent('You already use Plinth')
    expect(screen.getByText('Your existing password still works')).toBeVisible()
    expect(steps()).toHaveLength(3)
  })

  test.each(['developer', 'user'] as const)(
    '[screen:onboarding.invite-step] a %s has no invite step',
    async permission => {
      await welcome({ permission })
      expect(steps()).toHaveLength(1)
      expect(button('Finish')).toBeVisible()
    },
  )

  test('[state:onboarding.finish] [call:PATCH /api/user {onboarded}] Finish saves it and opens the dashboard', async () => {
    const { server, keyboard } = await welcome({}, '/welcome?page=2')
    await keyboard.click(button('Finish'))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    expect(server.asked('profile.update')[0]?.body).toEqual({ onboarded: true })
    expect(session.get()?.onboarded).toBe(true)
    expect(server.asked('events.track')).toHaveLength(0)
  })

  test('[state:onboarding.skip] [layout:onboarding-skip] Skip records it, saves, and opens the dashboard', async () => {
    const { server, keyboard } = await welcome()
    await keyboard.click(button('Skip Intro'))
    await waitFor(() => expect(address()).toBe('/dashboard'))
    const skipped = { name: 'cancelled_onboarding' }
    await waitFor(() => expect(server.asked('events.track')[0]?.body).toMatchObject(skipped), {
      timeout: 5000,
    })
    expect(session.get()?.onboarded).toBe(true)
  })

  test('a failed save stays on the page and can be repeated', async () => {
    const { server, keyboard } = await welcome({}, '/welcome?page=2')
    server.answer('profile.update', { status: 503, json: { message: 'We are very busy' } })
    await keyboard.click(button('Finish'))
    expect(await screen.findByText('We are very busy')).toBeVisible()
    expect(address()).toBe('/welcome?page=2')
    expect(session.get()?.onboarded).toBe(false)
  })

  test('Finish asks about addresses that were typed but not sent', async () => {
    const { server, keyboard } = await welcome({}, '/welcome?page=2')
    await keyboard.type(await screen.findByLabelText('Email addresses'), 'tomas@northquay.studio ')
    await keyboard.click(button('Finish'))
    const question = await screen.findByRole('dialog', { name: '1 invite hasn’t been sent' })
    await keyboard.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(server.asked('profile.update')).toHaveLength(0)
    await keyboard.click(button('Finish'))
    await keyboard.click(await screen.findByRole('button', { name: 'Finish without sending' }))
    await waitFor(() => expect(address()).toBe('/dashboard'))
  })

  test('loads from the server what the browser does not store', async () => {
    const { server } = await welcome({ duplicate_user: undefined })
    expect(server.asked('profile.read').length).toBeGreaterThan(0)
    expect(heading()).toHaveTextContent('Welcome, Mara')
  })
})

describe('[route:/welcome?page=]', () => {
  test.each(['0', '3', '-1', 'two'])('[text:onboarding.empty] page %s is out of range', async page => {
    const { keyboard } = await welcome({}, `/welcome?page=${page}`)
    expect(screen.getByText('Nothing to show')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Finish' })).not.toBeInTheDocument()
    await keyboard.click(button('Go to the first step'))
    expect(heading()).toHaveTextContent('Welcome, Mara')
  })

  test('[screen:onboarding.wizard] without a page in the URL, the last page reached opens', async () => {
    const { keyboard, user } = await welcome()
    await keyboard.click(button('Next'))
    const kept = { ...localStorage }
    const again = await visit({ path: '/welcome', user })
    for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, String(value))
    again.server.answer('team.permissions', { data: roles })
    again.open()
    expect(await screen.findAllByRole('heading', { level: 1, name: 'Invite your team' })).not.toHaveLength(0)
  })

  test('sent invites stay listed on the step', async () => {
    const { server, keyboard } = await welcome({}, '/welcome?page=2')
    server.answer('team.invite', { data: [invite('tomas@northquay.studio')], message: 'Invite sent' })
    await keyboard.type(await screen.findByLabelText('Email addresses'), 'tomas@northquay.studio ')
    await keyboard.click(button('Send 1 invite'))
    expect(await screen.findByText('1 person invited')).toBeVisible()
    // Each address shows its result; only people who got an invite are counted.
    const member = { ...invite('ines@northquay.studio'), id: null, result: 'already_member' }
    server.answer('team.invite', { data: [member] })
    await keyboard.type(await screen.findByLabelText('Email addresses'), 'ines@northquay.studio ')
    await keyboard.click(button('Send 1 invite'))
    expect(await screen.findByText('Already a member')).toBeVisible()
    expect(screen.getByText('1 person invited')).toBeVisible()
    await keyboard.click(button('Prev'))
    await keyboard.click(button('Next'))
    expect(await screen.findByText('tomas@northquay.studio')).toBeVisible()
  })
})
