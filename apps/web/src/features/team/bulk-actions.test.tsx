import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { quoteOf } from '../../../test/plans.ts'
import { ids, line, member, menuOf, openTeam } from '../../../test/team.ts'

type Page = Awaited<ReturnType<typeof openTeam>>

async function select(page: Page, ...names: string[]) {
  for (const name of names)
    await page.keyboard.click(screen.getByRole('checkbox', { name: `Select ${name}` }))
  return within(screen.getByRole('toolbar'))
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const outcome = (of: Awaited<ReturnType<typeof dialog>>, who: string) =>
  of.getAllByRole('listitem').find(({ textContent }) => textContent?.includes(who))?.textContent

describe('[screen:users.bulk-permission] changing the role of several rows', () => {
  test('each row shows its result: changed, unchanged, resent, or the reason of a failure', async () => {
    const page = await openTeam()
    page.server
      .answer('profile.update', ({ body }) =>
        JSON.stringify(body).includes(ids[3] ?? '')
          ? { status: 404, json: { message: 'Not there', code: 'not_found' } }
          : { data: member(2, { permission: 'admin' }), message: 'User saved' },
      )
      .answer('team.invite', {
        data: [
          { id: ids[4], email: 'jonah@millrace.co', permission: 'admin', date_sent: null, result: 'resent' },
        ],
        message: 'Invite sent',
      })
    const bar = await select(
      page,
      'Mara Aldous',
      'Ada Byrne',
      'Inês Carvalho',
      'Oskar Svensson',
      'jonah@millrace.co',
    )
    await page.keyboard.click(bar.getByRole('button', { name: 'Change permission' }))
    const asked = await dialog('Change the permission of 4 users')
    expect(asked.getByText('Invited people get a new link.', { exact: false })).toBeVisible()
    expect(asked.getByText(/^1 more selected user won’t change/)).toBeVisible()
    await page.keyboard.selectOptions(asked.getByLabelText('Permission'), 'admin')
    await page.keyboard.click(asked.getByRole('button', { name: 'Change permission' }))
    const results = await dialog('Results')
    expect(results.getByRole('button', { name: 'Done' })).toHaveFocus()
    expect(outcome(results, 'Ada Byrne')).toContain('Already Administrator')
    expect(outcome(results, 'Inês Carvalho')).toContain('Now Administrator')
    expect(outcome(results, 'Oskar Svensson')).toContain('This was already done.')
    expect(outcome(results, 'jonah@millrace.co')).toContain('New link sent')
    expect(outcome(results, 'Mara Aldous')).toContain('You can’t change this permission')
    // The dialog shows the results, so no toast appears.
    expect(screen.queryByText('User saved')).toBeNull()
    expect(page.server.asked('profile.update').map(({ body }) => body)).toEqual([
      { id: ids[2], permission: 'admin' },
      { id: ids[3], permission: 'admin' },
    ])
    expect(page.server.asked('team.invite').map(({ body }) => body)).toEqual([
      { email: 'jonah@millrace.co', permission: 'admin', quote: quoteOf(1200) },
    ])
    await page.keyboard.click(results.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // The rows stay selected.
    expect(screen.getByRole('toolbar')).toHaveTextContent('5 selected')
  })

  test('a failure that concerns all rows stops, and the others are listed as unchanged', async () => {
    const page = await openTeam()
    page.server.answer('profile.update', { status: 503, json: { message: 'Busy', code: 'busy' } })
    const bar = await select(page, 'Inês Carvalho', 'Oskar Svensson')
    await page.keyboard.click(bar.getByRole('button', { name: 'Change permission' }))
    const asked = await dialog('Change the permission of 2 users')
    await page.keyboard.selectOptions(asked.getByLabelText('Permission'), 'admin')
    await page.keyboard.click(asked.getByRole('button', { name: 'Change permission' }))
    const results = await dialog('Results')
    expect(await screen.findByText('Busy')).toBeVisible()
    expect(outcome(results, 'Inês Carvalho')).toContain('Not changed')
    expect(outcome(results, 'Oskar Svensson')).toContain('Not changed')
    expect(page.server.asked('profile.update')).toHaveLength(1)
  })

  test('[role:admin-only] is not offered when no selected row can change', async () => {
    const page = await openTeam('admin')
    const bar = await select(page, 'Inês Carvalho', 'Mara Aldous')
    expect(bar.getByRole('button', { name: 'Contact' })).toBeVisible()
    expect(bar.queryByRole('button', { name: 'Change permission' })).toBeNull()
  })
})

test('a refused deletion shows its error, and the other rows are deleted', async () => {
  const page = await openTeam()
  page.server
    .answer(`DELETE /api/user/${ids[2]}`, {
      status: 403,
      json: { message: 'Your role does not allow this.', code: 'permission_required' },
    })
    .answer(`DELETE /api/user/${ids[3]}`, { data: { signout: false }, message: 'User deleted' })
    .answer(`DELETE /api/invite/${ids[4]}`, { data: {}, message: 'Invite deleted' })
  const bar = await select(page, 'Inês Carvalho', 'Oskar Svensson', 'jonah@millrace.co')
  await page.keyboard.click(bar.getByRole('button', { name: 'Delete' }))
  await page.keyboard.click(await screen.findByRole('button', { name: 'Delete 3' }))
  expect(await screen.findByText('1 user, 1 invite deleted')).toBeVisible()
  expect(screen.getByText('Your role does not allow this.')).toBeVisible()
})

test('counts the deleted rows by kind, and leaves out a kind without any', async () => {
  const page = await openTeam()
  for (const n of [2, 3]) page.server.answer(`DELETE /api/user/${ids[n]}`, { data: { signout: false } })
  const bar = await select(page, 'Inês Carvalho', 'Oskar Svensson')
  await page.keyboard.click(bar.getByRole('button', { name: 'Delete' }))
  await page.keyboard.click(await screen.findByRole('button', { name: 'Delete 2' }))
  expect(await screen.findByText('2 users deleted')).toBeVisible()
})

describe('[screen:users.seat-price] the effect of a removal on the price', () => {
  test('is shown before deleting one or several users; invites hold no paid seat', async () => {
    const page = await openTeam()
    await page.keyboard.click((await menuOf(page, 'Inês')).at(-1) ?? document.body)
    const one = within(await screen.findByRole('alertdialog'))
    expect(await one.findByText('1 fewer seat from the next invoice')).toBeVisible()
    expect(one.getByText('−$12.00 per month')).toBeVisible()
    expect(one.getByText('The unused part of this period is credited on your next invoice.')).toBeVisible()
    await page.keyboard.click(one.getByRole('button', { name: 'Cancel' }))
    const bar = await select(page, 'Inês Carvalho', 'Oskar Svensson', 'jonah@millrace.co')
    await page.keyboard.click(bar.getByRole('button', { name: 'Delete' }))
    const several = within(await screen.findByRole('alertdialog'))
    expect(await several.findByText('2 fewer seats from the next invoice')).toBeVisible()
    expect(several.getByText('−$24.00 per month')).toBeVisible()
  })

  test('an administrator sees no price', async () => {
    const page = await openTeam('admin')
    await page.keyboard.click((await menuOf(page, 'Oskar')).at(-1) ?? document.body)
    await screen.findByRole('alertdialog')
    expect(line('Oskar')).toBeInTheDocument()
    expect(page.server.asked('billing.plans')).toEqual([])
    expect(page.server.asked('billing.subscription')).toEqual([])
    expect(screen.queryByText(/fewer seat/)).toBeNull()
  })
})
