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
  test('shows one switch for each setting of the server, with its description', async () => {
    await open([...all.slice(0, 3), { name: 'invite_accepted', active: false }])
    expect(await toggle('New sign-in')).toBeChecked()
    expect(await toggle('Plan changed')).toBeChecked()
    expect(await toggle('Card changed')).toHaveAccessibleDescription(/payment card changes/)
    expect(await toggle('Invite accepted')).not.toBeChecked()
  })

  test('shows only the sign-in setting when the server sends only that', async () => {
    await open(all.slice(0, 1), { permission: 'user' })
    await toggle('New sign-in')
    expect(screen.getAllByRole('switch')).toHaveLength(1)
    expect(screen.queryByText(/Each person chooses/)).toBeNull()
  })

  test('a click flips the switch at once and sends that setting alone [call:PATCH /api/notification]', async () => {
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

  test('closing the page sends the last changes', async () => {
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

  test('when saving fails, the switch returns to the server’s value with an error', async () => {
    const { server, keyboard } = await open()
    server.answer('notifications.update', { status: 500, json: { message: 'Not now' } })
    await keyboard.click(await toggle('New sign-in'))
    expect(await screen.findByText('Not now')).toBeVisible()
    await waitFor(async () => expect(await toggle('New sign-in')).toBeChecked())
  })

  test('an ended session leads to the sign-in', async () => {
    const { server, keyboard } = await open()
    server.answer('notifications.update', { status: 401, json: { message: 'Please sign in' } })
    await keyboard.click(await toggle('New sign-in'))
    await waitFor(() => expect(address()).toBe('/login'))
  })

  test('a list that failed to load can be retried', async () => {
    const visitor = await visit({ path: '/account/notifications', user: sessionUser() })
    visitor.server.answer('notifications.list', { status: 500, json: { message: 'No' } })
    visitor.open()
    await screen.findByText('Your notifications didn’t load')
    visitor.server.answer('notifications.list', { data: all })
    await visitor.keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await toggle('New sign-in')).toBeChecked()
  })
})
