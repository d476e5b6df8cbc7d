import { render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, withTexts } from '../../../test/app.tsx'
import { inputs } from './inputs.tsx'
import { StyleguidePage } from './Styleguide.tsx'

// jsdom has no canvas.
vi.mock('../chart/ChartCanvas.tsx', () => ({ ChartCanvas: () => <canvas /> }))

async function open(search = '') {
  window.history.replaceState(null, '', `/dev/ui${search}`)
  render(<StyleguidePage />)
  return userEvent.setup()
}

beforeEach(async () => {
  freshBrowser()
  await withTexts()
})

const spec = (title: string) => {
  const card = screen.getByRole('heading', { name: title }).closest('section')
  if (!card) throw new Error(`No part of the sheet is called ${title}`)
  return within(card)
}

test('[dev:sheet] shows every kind of input empty, filled, with an error and disabled', async () => {
  await open()
  const kinds =
    'text email password repeated number phone url textarea select date file radio checkbox checkboxes toggle code card'
  expect(Object.keys(inputs)).toEqual(kinds.split(' '))
  for (const [name, { input }] of Object.entries(inputs)) {
    const one = spec(`Input: ${name}`)
    for (const state of ['empty', 'filled', 'error', 'disabled']) {
      expect(one.getAllByText(`${input.label}, ${state}`).length, `${name} ${state}`).toBeGreaterThan(0)
    }
    expect(one.getByRole('alert').textContent, name).not.toBe('')
  }
})

test('[dev:sheet] a form with all inputs sends nothing while one is invalid', async () => {
  const keyboard = await open()
  const form = spec('All of them in a form: nothing is sent while one is wrong')
  await keyboard.click(form.getByRole('button', { name: 'Send' }))
  expect(await form.findByText('Name is required')).toBeVisible()
  expect(form.getByText('Start date is required')).toBeVisible()
  expect(form.getByText('Please select a file')).toBeVisible()
  expect(form.getByText('Card is required')).toBeVisible()
  expect(form.getByLabelText('Name')).toHaveFocus()
})

test('[dev:sheet] shows a table with many rows, one row, no rows, no match and loading', async () => {
  await open()
  const rows = (name: string) => within(screen.getByRole('region', { name })).queryAllByRole('row').length
  expect(rows('Table, many rows')).toBe(11)
  expect(rows('Table, one row')).toBe(2)
  expect(
    within(screen.getByRole('region', { name: 'Table, no rows' })).getByText('Nothing to show'),
  ).toBeVisible()
  expect(
    within(screen.getByRole('region', { name: 'Table, nobody found' })).getByText('No user matches'),
  ).toBeVisible()
  expect(screen.getByRole('region', { name: 'Table, loading' })).toHaveTextContent('Loading users')
})

test.each([
  ['Dialog', 'dialog', 'Invite a user', 'Cancel'],
  ['Confirm', 'alertdialog', 'Delete 2 users?', 'Cancel'],
  ['Drawer', 'dialog', 'Menu', 'Close'],
])('[dev:sheet] %s opens and closes', async (opener, role, name, closer) => {
  const keyboard = await open()
  await keyboard.click(screen.getByRole('button', { name: opener }))
  const opened = await screen.findByRole(role, { name })
  await keyboard.click(within(opened).getByRole('button', { name: closer }))
  await waitFor(() => expect(screen.queryByRole(role, { name })).toBeNull())
})

test('[dev:sheet] shows tabs, badges, breadcrumb, pagination and an empty state', async () => {
  const keyboard = await open()
  await keyboard.click(screen.getByRole('tab', { name: 'Card' }))
  expect(screen.getByRole('tabpanel', { name: 'Card' })).toHaveTextContent('The card.')
  expect(spec('Badges and avatars').getByText('Verified')).toBeVisible()
  expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent('API keys')
  expect(screen.getByText('Showing 21–40 of 200')).toBeVisible()
  expect(screen.getByText('No Results')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'No API keys' })).toBeVisible()
})

test.each([
  ['auth', 'Sign in'],
  ['app', 'Users'],
  ['onboarding', 'Invite your team'],
  ['lost', 'There is no page here'],
])('[dev:sheet] shows the layout %s alone', async (name, heading) => {
  await open(`?screen=${name}`)
  expect(screen.getByRole('heading', { level: 1, name: heading })).toBeVisible()
})
