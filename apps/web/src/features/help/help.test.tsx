import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../test/people.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

async function help(more: Record<string, unknown> = {}) {
  const user = sessionUser()
  const visitor = await visit({ path: '/help', user })
  visitor.server.answer('profile.read', { data: profileOf(user, more) })
  visitor.open()
  await screen.findByLabelText('Message')
  return {
    ...visitor,
    user,
    send: () => visitor.keyboard.click(screen.getByRole('button', { name: 'Send message' })),
  }
}

describe('[route:/help]', () => {
  test('[screen:help.banner] says how and where support answers', async () => {
    await help()
    expect(screen.getByText('We answer by email')).toBeVisible()
    expect(screen.getByText(/mara@northquay\.studio/)).toBeVisible()
  })

  test('[screen:help.form] [call:POST /api/utility/mail] sends the message once and shows a confirmation', async () => {
    const { keyboard, server, send } = await help()
    server.answer('help.send', { data: {}, message: 'Your message is on its way.' })
    await keyboard.type(screen.getByLabelText('Message'), 'The list is empty')
    await send()
    expect(await screen.findByText('Message sent')).toBeVisible()
    expect(server.asked('help.send').map(({ body }) => body)).toEqual([
      { email: 'mara@northquay.studio', name: 'Mara Aldous', template: 'help', message: 'The list is empty' },
    ])
    expect(screen.queryByLabelText('Message')).toBeNull()
    await keyboard.click(screen.getByRole('button', { name: 'Send another message' }))
    expect(screen.getByLabelText('Message')).toHaveFocus()
    expect(screen.getByLabelText('Message')).toHaveValue('')
  })

  test('[text:help.message] [rule:required.help] an empty message is required', async () => {
    const { server, send } = await help()
    await send()
    expect(await screen.findByText('Please enter a message')).toBeVisible()
    expect(screen.getByLabelText('Message')).toHaveFocus()
    expect(server.asked('help.send')).toEqual([])
  })

  test('the draft survives an ended session', async () => {
    const { keyboard, server, send } = await help()
    server.answer('help.send', { status: 401, json: { message: 'Please sign in' } })
    await keyboard.type(screen.getByLabelText('Message'), 'Long words')
    await send()
    await waitFor(() => expect(address()).toBe('/login'))
    expect(sessionStorage.getItem('plinth.draft.help')).toContain('Long words')
  })

  test('[screen:help.support-switch] [call:PATCH /api/user {support_enabled}] turns support access on and off', async () => {
    const { keyboard, server, user } = await help()
    const consent = screen.getByRole('switch', { name: 'Let support sign in as you' })
    expect(consent).not.toBeChecked()
    server.answer('profile.update', { data: profileOf(user, { support_enabled: true }) })
    await keyboard.click(consent)
    await waitFor(() => expect(consent).toBeChecked())
    expect(server.asked('profile.update')[0]?.body).toEqual({ support_enabled: true })
    server.answer('profile.update', { status: 500, json: { message: 'Not now' } })
    await keyboard.click(consent)
    expect(await screen.findByText('Not now')).toBeVisible()
    expect(consent).toBeChecked()
  })

  test('a failed load can be retried', async () => {
    const user = sessionUser()
    const { server, keyboard, open } = await visit({ path: '/help', user })
    server.answer('profile.read', { status: 500, json: { message: 'No' } })
    open()
    await screen.findByText('This page didn’t load')
    server.answer('profile.read', { data: profileOf(user) })
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText('Message')).toBeVisible()
  })
})
