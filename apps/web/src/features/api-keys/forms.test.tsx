import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { at, full_key, old, open, scopes, warehouse } from '../../../test/api-keys.ts'
import { address, visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { navigate } from '../../lib/navigate.ts'
import { newKey } from './new-key.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
  newKey.set(null)
})

// Browsers send this event for Escape in a modal dialog.
const pressEscape = () => fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))

describe('creating a key [route:/account/apikeys/create]', () => {
  const path = '/account/apikeys/create'

  test('[screen:apikeys.breadcrumbs] [text:key.name] [text:key.scope] [rule:required.key] requires a name and a scope', async () => {
    const { keyboard, server } = await open({ path })
    await keyboard.click(await screen.findByRole('button', { name: 'Create key' }))
    expect(await screen.findByText('Please provide a descriptive name for your key')).toBeVisible()
    expect(screen.getByText('Please select at least one scope')).toBeVisible()
    expect(server.asked('apiKeys.create')).toHaveLength(0)
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    expect(crumbs.getByRole('link', { name: 'API keys' })).toHaveAttribute('href', '/account/apikeys')
  })

  test('[screen:apikeys.full-key-once] shows the whole key once, with a warning, until the user confirms that it is stored', async () => {
    const { keyboard, server } = await open({ path })
    server.answer('apiKeys.create', { data: { ...warehouse, full_key } })
    await keyboard.type(await screen.findByLabelText('Name'), 'Warehouse sync')
    await keyboard.click(screen.getByRole('checkbox', { name: /Report usage/ }))
    await keyboard.selectOptions(screen.getByLabelText('Expires'), 'In 30 days')
    await keyboard.dblClick(screen.getByRole('button', { name: 'Create key' }))
    // From here on, the list shows the dialog instead of the form.
    await screen.findByRole('row', { name: /Old importer/, hidden: true })
    const dialog = within(await screen.findByRole('dialog', { name: 'Your new key, “Warehouse sync”' }))
    expect(server.asked('apiKeys.create')).toHaveLength(1)
    const sent = server.asked('apiKeys.create')[0]
    expect(sent?.body).toMatchObject({ name: 'Warehouse sync', scope: ['usage.create'] })
    expect(sent?.headers.get('idempotency-key')).toBeTruthy()
    expect(address()).toBe('/account/apikeys')
    expect(dialog.getByText(full_key)).toBeVisible()
    expect(dialog.getByText('Store it safely')).toBeVisible()

    // The browser asks before it leaves the page.
    const leave = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(leave)
    expect(leave.defaultPrevented).toBe(true)
    // Back keeps the dialog open and does not return to the form.
    const back = new Promise(done => window.addEventListener('popstate', done, { once: true }))
    act(() => window.history.back())
    await back
    await waitFor(() => expect(address()).toBe('/account/apikeys'))
    await screen.findByRole('row', { name: /Old importer/, hidden: true })
    expect(await screen.findByText(full_key)).toBeVisible()
    expect(
      screen.getByText('Copy it now. Owners and developers can reveal it again in the list.'),
    ).toBeVisible()
    // Escape before a copy asks first, and a second press returns to the key.
    pressEscape()
    expect(await screen.findByText('Close without copying the key?')).toBeVisible()
    expect(screen.getByText('You can reveal it later in the list.')).toBeVisible()
    expect(await screen.findByRole('button', { name: 'Back to the key' })).toHaveFocus()
    await keyboard.keyboard('{Enter}')
    expect(await screen.findByRole('button', { name: 'I’ve stored it' })).toBeVisible()
    expect(screen.getByText(full_key)).toBeVisible()
    vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await keyboard.click(screen.getByRole('button', { name: 'Copy' }))
    expect(navigator.clipboard.writeText).toHaveBeenCalledWith(full_key)
    await keyboard.click(await screen.findByRole('button', { name: 'I’ve stored it' }))
    await waitFor(() => expect(screen.queryByText(full_key)).toBeNull())
    // The form's button is gone, so the heading has the focus.
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(full_key)
  })

  test('a retry after a lost answer creates no second key, and the list can reveal it', async () => {
    const { keyboard, server } = await open({ path })
    server.answer('apiKeys.create', { data: { ...warehouse, full_key: null } })
    await keyboard.type(await screen.findByLabelText('Name'), 'Warehouse sync')
    await keyboard.click(screen.getByRole('checkbox', { name: /Report usage/ }))
    await keyboard.click(screen.getByRole('button', { name: 'Create key' }))
    expect(
      await screen.findByText('“Warehouse sync” was created, but we couldn’t show you the key'),
    ).toBeVisible()
    await waitFor(() => expect(address()).toBe('/account/apikeys'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('“I’ve stored it” closes the dialog without asking', async () => {
    const { keyboard } = await open()
    act(() => newKey.set({ ...warehouse, full_key }))
    await keyboard.click(await screen.findByRole('button', { name: 'I’ve stored it' }))
    await waitFor(() => expect(screen.queryByText(full_key)).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('the dialog says when a key can’t be revealed later', async () => {
    const { keyboard } = await open()
    act(() => newKey.set({ ...warehouse, revealable: false, full_key }))
    expect(
      await screen.findByText('Copy it now. You won’t be able to see the whole key again.'),
    ).toBeVisible()
    pressEscape()
    expect(
      await screen.findByText('It can’t be shown again. If you lose it, create another key.'),
    ).toBeVisible()
    await keyboard.click(within(screen.getByRole('dialog')).getByText('Close'))
    await waitFor(() => expect(screen.queryByText(full_key)).toBeNull())
  })

  test.each([
    ['en', 'Copy', /doesn’t allow copying here/],
    ['de', 'Kopieren', /erlaubt hier kein Kopieren/],
  ] as const)(
    'when the browser refuses to copy, the dialog says so and selects the key: %s',
    async (language, copy, words) => {
      const { keyboard } = await open({ language })
      vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('NotAllowedError'))
      act(() => newKey.set({ ...warehouse, full_key }))
      await keyboard.click(await screen.findByRole('button', { name: copy }))
      expect(await screen.findByRole('alert')).toHaveTextContent(words)
      expect(getSelection()?.toString()).toBe(full_key)
      vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
      await keyboard.click(screen.getByRole('button', { name: copy }))
      await waitFor(() => expect(screen.queryByText(words)).toBeNull())
    },
  )

  test('a key with an end date promises a reminder', async () => {
    const { keyboard } = await open({ path })
    expect(await screen.findByLabelText('Expires')).not.toHaveAccessibleDescription()
    await keyboard.selectOptions(screen.getByLabelText('Expires'), 'In 90 days')
    expect(screen.getByLabelText('Expires')).toHaveAccessibleDescription(/remind you by email/)
  })

  test('Cancel drops the draft', async () => {
    const { keyboard } = await open({ path })
    await keyboard.type(await screen.findByLabelText('Name'), 'Warehouse sync')
    await keyboard.click(screen.getByRole('checkbox', { name: /Report usage/ }))
    await keyboard.click(screen.getByRole('link', { name: 'Cancel' }))
    await waitFor(() => expect(address()).toBe('/account/apikeys'))
    await keyboard.click((await screen.findAllByRole('link', { name: 'Create API key' }))[0] ?? document.body)
    expect(await screen.findByLabelText('Name')).toHaveValue('')
    expect(screen.getByRole('checkbox', { name: /Report usage/ })).not.toBeChecked()
  })

  test('when the plan becomes full, an alert says so and the draft stays', async () => {
    const { keyboard, server } = await open({ path })
    server.answer('apiKeys.create', {
      status: 402,
      json: { message: 'All are taken', code: 'limit_reached', plan: 'startup' },
    })
    await keyboard.type(await screen.findByLabelText('Name'), 'Kept')
    await keyboard.click(screen.getByRole('checkbox', { name: /Report usage/ }))
    await keyboard.click(screen.getByRole('button', { name: 'Create key' }))
    expect(await screen.findByText('All are taken')).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute(
      'href',
      '/account/upgrade?plan=startup',
    )
    expect(screen.getByLabelText('Name')).toHaveValue('Kept')
    expect(address()).toBe(path)
  })

  test('a full plan shows no form', async () => {
    await open({ path, room: { used: 10, limit: 10, plan: 'scale' } })
    expect(await screen.findByText('All 10 API keys of your plan are in use')).toBeVisible()
    expect(screen.queryByLabelText('Name')).toBeNull()
  })
})

describe('editing a key [route:/account/apikeys/edit] [route:/account/apikeys/edit?id=]', () => {
  const edit = (id: string) => `/account/apikeys/edit?id=${id}`

  test('[error:apikey-unknown] an unknown key leads to /404', async () => {
    const visitor = await visit({ path: edit('0197a000-0000-7000-8000-00000000dead'), user: sessionUser() })
    visitor.server
      .answer('apiKeys.scopes', { data: scopes })
      .answer('GET /api/key/0197a000-0000-7000-8000-00000000dead', {
        status: 404,
        json: { message: 'No', code: 'not_found' },
      })
    visitor.open()
    await waitFor(() => expect(address()).toBe('/404'))
    expect(await screen.findByRole('heading', { level: 2, name: 'There’s nothing here' })).toBeVisible()
  })

  test('changes the name and the scopes after a step-up, and returns to the list', async () => {
    const { keyboard, server } = await open({ path: edit(warehouse.id) })
    server.answer(`PATCH ${at(warehouse)}`, ({ body }) =>
      JSON.stringify(body).includes('limestone-1!')
        ? { data: warehouse }
        : { status: 403, json: { message: 'Prove it', code: 'proof_required', inputError: 'password' } },
    )
    const name = await screen.findByLabelText('Name')
    await keyboard.clear(name)
    await keyboard.type(name, 'Renamed')
    await keyboard.click(screen.getByRole('checkbox', { name: /Send events/ }))
    await keyboard.click(screen.getByRole('button', { name: 'Save changes' }))
    await keyboard.type(
      await screen.findByLabelText(/password/i, { selector: 'input' }),
      'limestone-1!{Enter}',
    )
    await waitFor(() => expect(address()).toBe('/account/apikeys'))
    expect(server.asked(`PATCH ${at(warehouse)}`)[1]?.body).toEqual({
      name: 'Renamed',
      scope: ['event.create', 'usage.create'],
      password: 'limestone-1!',
    })
    expect(await screen.findByText('Key saved')).toBeVisible()
  })

  test('sends only changed fields, nothing without changes, and Cancel drops the draft', async () => {
    const { keyboard, server } = await open({ path: edit(warehouse.id) })
    server.answer(`PATCH ${at(warehouse)}`, { data: warehouse })
    const again = async () => {
      await waitFor(() => expect(address()).toBe('/account/apikeys'))
      act(() => navigate(edit(warehouse.id)))
      return screen.findByLabelText('Name')
    }
    await keyboard.type(await screen.findByLabelText('Name'), ' 2')
    await keyboard.click(screen.getByRole('link', { name: 'Cancel' }))
    expect(await again()).toHaveValue('Warehouse sync')
    await keyboard.click(screen.getByRole('button', { name: 'Save changes' }))
    await keyboard.type(await again(), ' 2')
    expect(server.asked(`PATCH ${at(warehouse)}`)).toEqual([])
    await keyboard.click(screen.getByRole('button', { name: 'Save changes' }))
    await waitFor(() =>
      expect(server.asked(`PATCH ${at(warehouse)}`)[0]?.body).toEqual({ name: 'Warehouse sync 2' }),
    )
  })

  test('[state:api-key.revoke] a revoked key can only be deleted, which leads to the list', async () => {
    const { keyboard, server } = await open({ path: edit(old.id) })
    expect(await screen.findByText('This key is revoked')).toBeVisible()
    expect(screen.queryByLabelText('Name')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Revoke key' })).toBeNull()
    server.answer('apiKeys.remove', { data: {} })
    await keyboard.click(screen.getByRole('button', { name: 'Delete key' }))
    const question = within(await screen.findByRole('alertdialog'))
    await keyboard.click(question.getByRole('button', { name: 'Delete key' }))
    await waitFor(() => expect(address()).toBe('/account/apikeys'))
  })
})

test.each([
  ['en', /^This key no longer works/],
  ['de', /^Dieser Schlüssel ist nicht mehr gültig/],
] as const)('the danger zone of a revoked key says what deleting does: %s', async (language, words) => {
  await open({ path: `/account/apikeys/edit?id=${old.id}`, language })
  expect(await screen.findByText(words)).toBeVisible()
  expect(screen.queryByText(/stop working immediately|sofort abgewiesen/)).toBeNull()
})
