import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { at, full_key, old, open, pageOf, warehouse } from '../../../test/api-keys.ts'
import { address, visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { queries } from '../../lib/data/query.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const rowOf = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }))
async function choose(keyboard: Awaited<ReturnType<typeof open>>['keyboard'], name: string, action: string) {
  await keyboard.click((await rowOf(name)).getByRole('button', { name: `Actions for ${name}` }))
  await keyboard.click(await screen.findByRole('menuitem', { name: action }))
}

describe('the list of keys [route:/account/apikeys]', () => {
  test('[screen:apikeys.blank] without keys it explains them and links to the first', async () => {
    await open({ keys: [] })
    expect(await screen.findByRole('heading', { name: 'No API keys yet' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'Create API key' })).toHaveAttribute(
      'href',
      '/account/apikeys/create',
    )
    expect(screen.getByRole('link', { name: 'Read the API guide' })).toHaveAttribute('href', '/api/docs#keys')
    expect(screen.queryByRole('table')).toBeNull()
  })

  test('[screen:apikeys.table] [screen:apikeys.badge] shows names, masked keys, their last use and their status', async () => {
    await open()
    const first = await rowOf('Warehouse sync')
    expect(first.getByText('plinth_test_7Qd4••••••••x2Lm')).toBeVisible()
    expect(first.getByText('Never used')).toBeVisible()
    expect(first.getByText('Active')).toHaveClass('badge--success')
    const second = await rowOf('Old importer')
    expect(second.getByText('Revoked')).toHaveClass('badge--danger')
    expect(second.getByText('Revoked Oct 21, 2026')).toBeVisible()
    expect(second.queryByRole('button', { name: /Reveal/ })).toBeNull()
    expect(await screen.findByText(/^1 active key of 10\. A key has the permissions/)).toBeVisible()
    expect(screen.getByText('Showing 1–2 of 2')).toBeVisible()
  })

  test('a key that can’t be revealed has no such action', async () => {
    const { keyboard } = await open({ keys: [{ ...warehouse, revealable: false }] })
    const row = await rowOf('Warehouse sync')
    expect(row.queryByRole('button', { name: /Reveal/ })).toBeNull()
    await keyboard.click(row.getByRole('button', { name: 'Actions for Warehouse sync' }))
    expect(await screen.findByRole('menuitem', { name: 'Edit' })).toBeVisible()
    expect(screen.queryByRole('menuitem', { name: 'Reveal' })).toBeNull()
  })

  test('search, order and page are in the URL and in the query', async () => {
    const { keyboard, server } = await open()
    server.answer('apiKeys.list', ({ query }) => ({
      json: {
        data: [query.get('cursor') ? old : warehouse],
        page: pageOf(null, { next: query.get('cursor') ? null : 'c2' }),
      },
    }))
    await keyboard.click(await screen.findByRole('button', { name: 'Name' }))
    await waitFor(() => expect(address()).toBe('/account/apikeys?sort=name'))
    expect(await screen.findByText('Showing 1–1 of more than 1,000')).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Next' }))
    expect(await screen.findByText('Old importer')).toBeVisible()
    expect(address()).toBe('/account/apikeys?sort=name&cursor=c2')
    // A pasted secret is cut to the part that the list shows.
    await keyboard.type(screen.getByRole('searchbox', { name: 'Search keys' }), `${full_key}{Enter}`)
    await waitFor(() => expect(address()).toBe('/account/apikeys?search=plinth_test_7Qd4&sort=name'))
    expect(server.asked('apiKeys.list').at(-1)?.query.toString()).toBe(
      'limit=20&search=plinth_test_7Qd4&sort=name',
    )
    server.answer('apiKeys.list', { json: { data: [], page: pageOf(0) } })
    await keyboard.clear(screen.getByRole('searchbox'))
    await keyboard.type(screen.getByRole('searchbox'), 'nothing{Enter}')
    expect(await screen.findByText(/No key matches “nothing”/)).toBeVisible()
    expect(screen.getByText('No Results')).toBeVisible()
  })

  test('at the limit an owner gets a link to the plans', async () => {
    await open({ room: { used: 1, limit: 1, plan: 'startup' } })
    expect(await screen.findByText('Your plan’s 1 API key is in use')).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute(
      'href',
      '/account/upgrade?plan=startup',
    )
    expect(screen.queryByRole('link', { name: 'Create API key' })).toBeNull()
  })

  test('at the limit a developer is asked to contact an owner, and the highest plan offers no other', async () => {
    const { server, keyboard } = await open({
      user: { permission: 'developer' },
      room: { used: 10, limit: 10, plan: 'scale' },
    })
    expect(await screen.findByText(/ask an owner of the account/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'See the plans' })).toBeNull()
    server.answer('apiKeys.allowance', { data: { used: 100, limit: 100, plan: null } })
    server.answer(`PATCH ${at(warehouse)}`, { data: old })
    await choose(keyboard, 'Warehouse sync', 'Revoke')
    await keyboard.click(await screen.findByRole('button', { name: 'Revoke key' }))
    expect(await screen.findByText('That’s the maximum. Revoke one first.')).toBeVisible()
  })

  test('support can read the list but change nothing', async () => {
    await open({ user: { support_until: '2026-11-20T10:00:00.000Z' } })
    const row = await rowOf('Warehouse sync')
    expect(row.queryByRole('button')).toBeNull()
    expect(row.queryByRole('checkbox')).toBeNull()
    await screen.findByText(/1 active key/)
    expect(screen.queryByRole('link', { name: 'Create API key' })).toBeNull()
  })

  test('[role:developer-only] an admin has no access', async () => {
    await open({ user: { permission: 'admin' } })
    await waitFor(() => expect(address()).not.toContain('/account/apikeys'))
  })

  test('a failed load says so and can be retried', async () => {
    const { keyboard, ...failed } = await visit({ path: '/account/apikeys', user: sessionUser() })
    failed.server.answer('apiKeys.list', { status: 500, json: { message: 'Not now' } })
    failed.server.answer('apiKeys.allowance', { data: { used: 0, limit: 1, plan: null } })
    failed.open()
    const again = await screen.findByRole('button', { name: 'Try again' })
    failed.server.answer('apiKeys.list', { json: { data: [], page: pageOf(0) } })
    await keyboard.click(again)
    expect(await screen.findByRole('heading', { name: 'No API keys yet' })).toBeVisible()
  })
})

describe('actions of a key [screen:apikeys.actions]', () => {
  test('reveal asks for a step-up, shows the key, and drops it on close', async () => {
    const { keyboard, server } = await open()
    server.answer(`POST ${at(warehouse)}/reveal`, ({ body }) =>
      JSON.stringify(body).includes('limestone-1!')
        ? { data: [{ id: warehouse.id, key: full_key }] }
        : { status: 403, json: { message: 'Prove it', code: 'proof_required', inputError: 'password' } },
    )
    await keyboard.click(
      (await rowOf('Warehouse sync')).getByRole('button', { name: 'Reveal Warehouse sync' }),
    )
    await keyboard.type(
      await screen.findByLabelText(/password/i, { selector: 'input' }),
      'limestone-1!{Enter}',
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'The key “Warehouse sync”' }))
    expect(dialog.getByText(full_key)).toBeVisible()
    await keyboard.click(dialog.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByText(full_key)).toBeNull())
  })

  test('revoke asks first, then the badge is red', async () => {
    const { keyboard, server } = await open({ keys: [warehouse] })
    await choose(keyboard, 'Warehouse sync', 'Revoke')
    const question = within(
      await screen.findByRole('alertdialog', { name: 'Revoke the key “Warehouse sync”?' }),
    )
    server.answer(`PATCH ${at(warehouse)}`, { data: { ...old, id: warehouse.id, name: warehouse.name } })
    server.answer('apiKeys.list', { json: { data: [{ ...old, name: 'Warehouse sync' }], page: pageOf(1) } })
    await keyboard.click(question.getByRole('button', { name: 'Revoke key' }))
    expect(await screen.findByText('Warehouse sync revoked')).toBeVisible()
    expect(server.asked(`PATCH ${at(warehouse)}`)[0]?.body).toEqual({ active: false })
    expect((await rowOf('Warehouse sync')).getByText('Revoked')).toBeVisible()
  })

  test('deletes several keys at once; a key that is gone already refetches the list', async () => {
    const { keyboard, server } = await open()
    await keyboard.click(await screen.findByRole('checkbox', { name: 'Select Warehouse sync' }))
    await keyboard.click(screen.getByRole('checkbox', { name: 'Select Old importer' }))
    const bar = within(screen.getByRole('toolbar', { name: 'API keys' }))
    expect(bar.getByText('2 selected')).toBeVisible()
    server.answer('apiKeys.remove', { status: 404, json: { message: 'No', code: 'not_found' } })
    server.answer('apiKeys.list', { json: { data: [old], page: pageOf(1) } })
    await keyboard.click(bar.getByRole('button', { name: 'Delete' }))
    await keyboard.click(await screen.findByRole('button', { name: 'Delete 2 keys' }))
    expect(await screen.findByText('Already deleted')).toBeVisible()
    expect(address()).toBe('/account/apikeys')
    expect(await screen.findByText('1 selected')).toBeVisible()
    server
      .answer('apiKeys.remove', { data: {} })
      .answer('apiKeys.list', { json: { data: [], page: pageOf(0) } })
    await keyboard.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Delete' }))
    await keyboard.click(await screen.findByRole('button', { name: 'Delete key' }))
    expect(server.asked('apiKeys.remove')[1]?.body).toEqual({ id: [old.id] })
    expect(await screen.findByText('No API keys yet')).toBeVisible()
  })
})

describe('the focus', () => {
  test('moves from “Clear the search” to the search, without calling the whole list empty', async () => {
    const { keyboard, server } = await open()
    server.answer('apiKeys.list', ({ query }) => ({
      json: query.has('search') ? { data: [], page: pageOf(0) } : { data: [warehouse, old], page: pageOf(2) },
    }))
    await keyboard.type(await screen.findByRole('searchbox'), 'nothing{Enter}')
    const clear = await screen.findByRole('button', { name: 'Clear the search' })
    const blank = vi.fn()
    const watch = new MutationObserver(() => screen.queryByText('No API keys yet') && blank())
    watch.observe(document.body, { childList: true, subtree: true })
    // Drops the cached whole list, as if it had expired.
    queries.removeQueries({ type: 'inactive' })
    await keyboard.click(clear)
    await rowOf('Warehouse sync')
    watch.disconnect()
    expect(screen.getByRole('searchbox')).toHaveFocus()
    expect(blank).not.toHaveBeenCalled()
  })

  test('moves from the last key, whose table disappears, to the create link', async () => {
    const { keyboard, server } = await open({ keys: [old] })
    await choose(keyboard, 'Old importer', 'Delete')
    const question = within(await screen.findByRole('alertdialog'))
    // The key was revoked, so no program stops working.
    expect(question.getByText('It no longer works and is removed from this list.')).toBeVisible()
    server
      .answer('apiKeys.remove', { data: {} })
      .answer('apiKeys.list', { json: { data: [], page: pageOf(0) } })
    await keyboard.click(question.getByRole('button', { name: 'Delete key' }))
    await waitFor(() => expect(screen.getByRole('link', { name: 'Create API key' })).toHaveFocus())
  })
})
