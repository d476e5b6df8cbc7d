import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { session } from '../../../lib/session/store.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  let made = 0
  URL.createObjectURL = () => `blob:picture-${++made}`
  URL.revokeObjectURL = vi.fn()
})

const saved = '/api/avatar/one.png'
async function profile(avatar: string | null = null) {
  const user = sessionUser({ avatar })
  const visitor = await visit({ path: '/account/profile', user })
  visitor.server
    .answer('profile.read', { data: profileOf(user, { avatar }) })
    .answer('sessions.list', { data: [] })
  visitor.open()
  await screen.findByRole('button', { name: 'Upload a picture' })
  return { ...visitor, user, save: () => visitor.keyboard.click(saveButton()) }
}
const saveButton = () => screen.getAllByRole('button', { name: 'Save changes' })[0] ?? document.body
const group = () => screen.getByRole('group', { name: 'Picture' })
const picker = () => group().querySelector('input') ?? document.createElement('input')
const shown = () => group().querySelector('img')?.getAttribute('src') ?? null
const file = (name = 'me.png', type = 'image/png', size = 10) =>
  new File([new Uint8Array(size)], name, { type })
const body = (asked: { body: unknown }[]) => asked.at(-1)?.body

describe('[rule:profile.avatar] [screen:profile.fields] [screen:profile.local-update] the picture', () => {
  test('is previewed, sent as multipart, and shown everywhere after saving [call:multipart]', async () => {
    const { keyboard, server, user, save } = await profile()
    expect(group()).not.toHaveTextContent('0')
    await keyboard.upload(picker(), file())
    expect(shown()).toBe('blob:picture-1')
    server.answer('profile.update', { data: profileOf(user, { avatar: saved }) })
    await save()
    await screen.findByText('Profile saved')
    const form = body(server.asked('profile.update')) as FormData // as: the assertion below
    expect(form).toBeInstanceOf(FormData)
    expect([...form.keys()]).toEqual(['avatar'])
    expect(session.get()?.avatar).toBe(saved)
    await waitFor(() => expect(shown()).toBe(saved))
    // The picture is not sent a second time.
    await keyboard.type(screen.getByLabelText('First name'), ' Lou')
    await save()
    await waitFor(() => expect(server.asked('profile.update')).toHaveLength(2))
    expect(body(server.asked('profile.update'))).toEqual({ first_name: 'Mara Lou' })
  })

  test.each(['png', 'jpeg', 'jpg'])('[const:avatar] accepts one file of type %s', async type => {
    const { keyboard, server, user, save } = await profile()
    expect(picker()).not.toHaveAttribute('multiple')
    expect(picker()).toHaveAttribute('accept', 'image/png,image/jpeg,image/jpg')
    await keyboard.upload(picker(), file(`me.${type}`, `image/${type}`))
    server.answer('profile.update', { data: profileOf(user, { avatar: saved }) })
    await save()
    await screen.findByText('Profile saved')
    const form = body(server.asked('profile.update')) as FormData // as: a file can only be sent as FormData
    expect(form.getAll('avatar')).toMatchObject([{ name: `me.${type}`, type: `image/${type}` }])
  })

  test.each([
    [file('me.gif', 'image/gif'), 'GIF files are not accepted, PNG or JPEG only'],
    [file('me.svg', 'image/svg+xml'), 'SVG+XML files are not accepted, PNG or JPEG only'],
    [file('big.png', 'image/png', 5 * 1024 * 1024 + 1), 'This file is too large. The limit is 5 MB.'],
  ])('a file of another type or too large is rejected at once and never sent', async (wrong, message) => {
    const { server, save } = await profile(saved)
    await userEvent.setup({ applyAccept: false }).upload(picker(), wrong)
    expect(await screen.findByText(message)).toBeVisible()
    expect(shown()).toBe(saved)
    await save()
    expect(server.asked('profile.update')).toEqual([])
    expect(screen.getByRole('button', { name: 'Upload a picture' })).toHaveAccessibleDescription(message)
  })

  test('a rejected file leaves nothing to remove, and the other fields can be saved', async () => {
    const { keyboard, server, user, save } = await profile()
    await userEvent.setup({ applyAccept: false }).upload(picker(), file('notes.txt', 'text/plain'))
    expect(await screen.findByText('PLAIN files are not accepted, PNG or JPEG only')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
    await keyboard.type(screen.getByLabelText('First name'), ' Lou')
    server.answer('profile.update', { data: profileOf(user, { first_name: 'Mara Lou' }) })
    await save()
    await screen.findByText('Profile saved, but not your picture')
    expect(body(server.asked('profile.update'))).toEqual({ first_name: 'Mara Lou' })
  })

  test('a file that the browser can’t decode is rejected, and the previous picture stays', async () => {
    const { keyboard, server, user, save } = await profile(saved)
    await keyboard.upload(picker(), file())
    fireEvent.error(group().querySelector('img') ?? document.body)
    expect(screen.getByRole('alert')).toHaveTextContent('This picture can’t be read. Choose another one.')
    expect(shown()).toBe(saved)
    await save()
    await screen.findByText('Your picture wasn’t saved')
    expect(screen.queryByText('Profile saved')).toBeNull()
    expect(server.asked('profile.update')).toEqual([])
    // A valid file clears the error.
    await keyboard.upload(picker(), file('other.png'))
    server.answer('profile.update', { data: profileOf(user, { avatar: '/api/avatar/two.png' }) })
    await save()
    await screen.findByText('Profile saved')
  })

  test('a chosen or removed picture shows that it is not saved yet', async () => {
    const { keyboard } = await profile(saved)
    const hint = 'Not saved yet. Save your changes to keep it.'
    expect(screen.queryByText(hint)).toBeNull()
    await keyboard.upload(picker(), file())
    expect(screen.getByText(hint)).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Remove' }))
    expect(screen.queryByText(hint)).toBeNull()
    await keyboard.click(screen.getByRole('button', { name: 'Remove' }))
    expect(screen.getByText(hint)).toBeVisible()
  })

  test('a chosen picture can be dropped, and a saved one removed', async () => {
    const { keyboard, server, user, save } = await profile(saved)
    await keyboard.upload(picker(), file())
    await keyboard.click(screen.getByRole('button', { name: 'Remove' }))
    expect(shown()).toBe(saved)
    await keyboard.click(screen.getByRole('button', { name: 'Remove' }))
    expect(shown()).toBeNull()
    expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Upload a picture' })).toHaveFocus()
    server.answer('profile.update', { data: profileOf(user, { avatar: null }) })
    await save()
    await screen.findByText('Profile saved')
    expect(body(server.asked('profile.update'))).toMatchObject({ avatar: null })
    expect(session.get()?.avatar).toBeNull()
  })

  test('a picture that the server rejects stays chosen, with the reason at its field', async () => {
    const { keyboard, server, save } = await profile()
    await keyboard.upload(picker(), file())
    const json = { message: 'This picture can’t be read.', code: 'picture_broken', inputError: 'avatar' }
    server.answer('profile.update', { status: 422, json })
    await save()
    expect(await screen.findByText('This picture can’t be read.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Upload a picture' })).toHaveFocus()
    await keyboard.upload(picker(), file('other.png'))
    expect(screen.queryByText('This picture can’t be read.')).toBeNull()
  })
})
