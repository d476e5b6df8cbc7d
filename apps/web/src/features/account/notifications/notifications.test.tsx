import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import type { Told } from '../../../../test/server.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const all = ['new_signin', 'plan_updated', 'card_updated', 'invite_accepted'].map(name => ({
  name,
  active: true,
}))

async function open(settings = all, change: Parameters<typeof sessionUser>[0] = {}) {
  const visitor = await visit({ path: '/account/notifications', user: sessionUser(change) })
  visitor.server.answer('notifications.list', { data: settings })
  visitor.open()
  return visitor
}
const toggle = (name: string) => screen.findByRole('switch', { name })

describe('[route:/account/notifications] [screen:notifications.switches]', () => {
  test('one switch for each that the server names, with what it is for', async () => {
    await open([...all.slice(0, 3), { name: 'invite_accepted', active: false }])
    expect(await toggle('New sign-in')).toBeChecked()
    expect(await toggle('Plan changed')).toBeChecked()
    expect(await toggle('Card changed')).toHaveAccessibleDescription(/payment card changes/)
    expect(await toggle('Invite accepted')).not.toBeChecked()
  })

  test('who can get one alone sees one, and nothing of the account', async () => {
    await open(all.slice(0, 1), { permission: 'user' })
    await toggle('New sign-in')
    expect(screen.getAllByRole('switch')).toHaveLength(1)
    expect(screen.queryByText(/Each person chooses/)).toBeNull()
  })

  test('flips at once, and sends that one alone [call:PATCH /api/notification]', async () => {
    const { server, keyboard } = await open()
    const answer = Promise.withResolvers<Told>()
    server.answer('notifications.update', () => answer.promise)
    await keyboard.click(await toggle('Plan changed'))
    expect(await toggle('Plan changed')).not.toBeChecked()
    expect(server.asked('notifications.update').map(({ body }) => body)).toEqual([{ plan_updated: false }])
    answer.resolve({ data: all })
  })

  test('quick clicks are sent one after the other, the last one last', async () => {
    const { server, keyboard } = await open()
    const first = Promise.withResolvers<Told>()
    server.answer('notifications.update', () => first.promise)
    const plan = await toggle('Plan changed')
    await keyboard.dblClick(plan)
    await keyboard.click(await toggle('Card changed'))
    expect(server.asked('notifications.update')).toHaveLength(1)
    server.answer('notifications.update', { data: all })
    first.resolve({ data: all })
    await waitFor(() => expect(server.asked('notifications.update')).toHaveLength(2))
    expect(server.asked('notifications.update').map(({ body }) => body)).toEqual([
      { plan_updated: false },
      { plan_updated: true, card_updated: false },
    ])
    expect(plan).toBeChecked()
  })

  test('a page that is left takes the last flips along', async () => {
    const { server, keyboard } = await open()
    const first = Promise.withResolvers<Told>()
    server.answer('notifications.update', () => first.promise)
    await keyboard.click(await toggle('Plan changed'))
    await keyboard.click(await toggle('Card changed'))
    server.answer('notifications.update', { data: all })
    window.dispatchEvent(new Event('pagehide'))
    expect(server.asked('notifications.update').at(-1)?.body).toEqual({ card_updated: false })
    first.resolve({ data: all })
  })

  test('what can’t be saved goes back to what the server has, and says so', async () => {
    const { server, keyboard } = await open()
    server.answer('notifications.update', { status: 500, json: { message: 'Not now' } })
    await keyboard.click(await toggle('New sign-in'))
    expect(await screen.findByText('Not now')).toBeVisible()
    await waitFor(async () => expect(await toggle('New sign-in')).toBeChecked())
  })

  test('a session that is over leads to the sign-in', async () => {
    const { server, keyboard } = await open()
    server.answer('notifications.update', { status: 401, json: { message: 'Please sign in' } })
    await keyboard.click(await toggle('New sign-in'))
    await waitFor(() => expect(address()).toBe('/login'))
  })

  test('what did not load can be asked for again', async () => {
    const visitor = await visit({ path: '/account/notifications', user: sessionUser() })
    visitor.server.answer('notifications.list', { status: 500, json: { message: 'No' } })
    visitor.open()
    await screen.findByText('Your notifications didn’t load')
    visitor.server.answer('notifications.list', { data: all })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await toggle('New sign-in')).toBeChecked()
  })
})
