import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../test/app.tsx'
import { sessionUser } from '../../../test/people.ts'
import { priceList, quoteOf, subscriptionOf, upcomingOf } from '../../../test/plans.ts'
import { listed } from '../../../test/team.ts'
import { queries } from '../../lib/data/query.ts'

const roles = {
  admin: { label: 'Administrator' },
  developer: { label: 'Developer' },
  user: { label: 'User' },
}

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

type Told = { data?: object; status?: number; json?: object }
type Case = NonNullable<Parameters<typeof sessionUser>[0]> & {
  subscription_data?: Record<string, unknown>
  /** The answer to GET /api/account/subscription, in place of `subscription_data`. */
  subscription_answer?: Promise<Told>
}

async function inviting({ subscription_data, subscription_answer, ...change }: Case = {}) {
  const user = sessionUser({ onboarded: false, ...change })
  const page = await visit({ path: '/welcome?page=2', user })
  page.server
    .answer('team.permissions', { data: roles })
    .answer('team.list', { json: listed() })
    .answer('billing.plans', { data: priceList({ active: user.plan }) })
    .answer('billing.upcoming', ({ query }) => ({
      data: upcomingOf({
        date: '2027-11-25T10:00:00.000Z',
        amount: 24_000 + 28_800 * Number(query.get('seats') ?? 0),
      }),
    }))
    .answer('billing.subscription', () => subscription_answer ?? { data: subscriptionOf(subscription_data) })
  page.open()
  const emails = await screen.findByLabelText('Email addresses')
  return { ...page, emails }
}

describe('inviting a team', () => {
  test('[rule:invite.several] [call:POST /api/invite] [const:invite.default] sends several addresses in one call, with the role user by default', async () => {
    const { server, keyboard, emails } = await inviting()
    server.answer('team.invite', { data: [], message: '2 invites sent' })
    await keyboard.type(emails, 'tomas@northquay.studio,ines@northquay.studio,')
    await keyboard.click(screen.getByRole('button', { name: 'Send 2 invites' }))
    expect(await screen.findByText('2 invites sent')).toBeVisible()
    expect(server.asked('team.invite')[0]?.body).toEqual({
      email: 'tomas@northquay.studio,ines@northquay.studio',
      permission: 'user',
      quote: quoteOf(0),
    })
    expect(screen.queryByText('tomas@northquay.studio')).not.toBeInTheDocument()
  })

  test('an owner sends the seat price on the screen; after a change an alert shows and no one is invited', async () => {
    const seats = (amount: number) =>
      subscriptionOf({ plan: 'startup', status: 'active', seat_quote: quoteOf(amount) })
    const { server, keyboard, emails } = await inviting({ plan: 'startup', subscription_data: seats(1200) })
    await keyboard.type(emails, 'tomas@northquay.studio,')
    expect(await screen.findByText('$12.00 per month')).toBeVisible()
    server
      .answer('team.invite', {
        status: 409,
        json: { message: 'The price has changed.', code: 'price_changed', data: { quote: quoteOf(1500) } },
      })
      .answer('billing.subscription', { data: seats(1500) })
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    expect(await screen.findByText('The price per seat has changed. No one was added.')).toBeVisible()
    expect(await screen.findByText('$15.00 per month')).toBeVisible()
    await waitFor(() => expect(queries.isFetching()).toBe(0))
    expect(screen.getByText('The price per seat has changed. No one was added.')).toBeVisible()
    server.answer('team.invite', { data: [], message: '1 invite sent' })
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    await screen.findByText('1 invite sent')
    expect(server.asked('team.invite').map(({ body }) => body)).toMatchObject([
      { quote: quoteOf(1200) },
      { quote: quoteOf(1500) },
    ])
  })

  test('names the share of the current period in the next payment', async () => {
    const { server, keyboard, emails } = await inviting({
      plan: 'startup',
      subscription_data: { plan: 'startup', status: 'active', seat_quote: quoteOf(1200) },
    })
    server.answer('billing.upcoming', ({ query }) => ({
      data: upcomingOf({
        date: '2027-11-25T10:00:00.000Z',
        ...(query.get('seats') ? { amount: 2880, prorated: 480 } : { amount: 1200 }),
      }),
    }))
    await keyboard.type(emails, 'tomas@northquay.studio,')
    expect(
      await screen.findByText(
        /\$28\.80 instead of \$12\.00\. It includes \$4\.80 for the rest of this period\.$/,
      ),
    ).toBeVisible()
  })

  test('when the next payment fails to load, inviting still works', async () => {
    const { server, keyboard, emails } = await inviting({
      plan: 'startup',
      subscription_data: { plan: 'startup', status: 'active', seat_quote: quoteOf(1200) },
    })
    server.answer('billing.upcoming', {
      status: 503,
      json: { message: 'Down', code: 'payment_provider_down' },
    })
    await keyboard.type(emails, 'tomas@northquay.studio,')
    expect(await screen.findByText('Your next payment couldn’t be loaded.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Send 1 invite' })).toBeEnabled()
  })

  test('[rule:invite.email] names an invalid address, keeps it, and sends nothing', async () => {
    const { server, keyboard, emails } = await inviting()
    await keyboard.type(emails, 'tomas@northquay.studio j.okafor@northquay ')
    expect(
      await screen.findByText(
        'j.okafor@northquay is not a valid email address. Remove it or type it again before you send.',
      ),
    ).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    await waitFor(() => expect(emails).toHaveFocus())
    expect(server.asked('team.invite')).toHaveLength(0)
    await keyboard.click(screen.getByRole('button', { name: 'Remove j.okafor@northquay' }))
    expect(screen.queryByText(/is not a valid/)).not.toBeInTheDocument()
  })

  test('without an address the field is required', async () => {
    const { keyboard } = await inviting()
    await keyboard.click(screen.getByRole('button', { name: 'Send invites' }))
    expect(await screen.findByText('Enter at least one email address')).toBeVisible()
  })

  test('[call:GET /api/user/permissions] [rule:permission.no-owner] offers the roles of the server, with a text on each', async () => {
    const { keyboard } = await inviting()
    const select = screen.getByLabelText('Permission')
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Administrator', 'Developer', 'User'])
    expect(select).toHaveValue('user')
    expect(select).toHaveAccessibleDescription(/Can use the dashboard and their own settings/)
    await keyboard.selectOptions(select, 'admin')
    expect(select).toHaveAccessibleDescription(/invite and manage/)
  })

  test('a field error shows at its field, and the list stays', async () => {
    const { server, keyboard, emails } = await inviting()
    server.answer('team.invite', {
      status: 409,
      json: { message: 'ada@x.example is already a member', code: 'already_member', inputError: 'email' },
    })
    await keyboard.type(emails, 'ada@x.example ')
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    expect(await screen.findByText('ada@x.example is already a member')).toBeVisible()
    expect(screen.getByText('ada@x.example')).toBeVisible()
  })

  test('a full plan shows an alert here, and the list stays', async () => {
    const { server, keyboard, emails } = await inviting()
    server.answer('team.invite', {
      status: 402,
      json: { message: 'Your plan has room for 3 people', code: 'limit_reached', plan: 'startup' },
    })
    await keyboard.type(emails, 'ada@x.example ')
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    expect(await screen.findByText('Your plan has room for 3 people')).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the plans' })).toHaveAttribute(
      'href',
      '/account/upgrade?plan=startup',
    )
    expect(address()).toBe('/welcome?page=2')
    expect(screen.getByText('ada@x.example')).toBeVisible()
  })
})

describe('the cost of more people', () => {
  const startup = { plan: 'startup', subscription: 'trialing' }

  test('[const:seat-price] an owner sees the price on a plan that is paid per seat', async () => {
    const { keyboard, emails } = await inviting({ ...startup, subscription_data: { seat_price: 1200 } })
    await keyboard.type(emails, 'ada@x.example ben@x.example ')
    expect(await screen.findByText('2 more seats once they join')).toBeVisible()
    expect(screen.getByText('$24.00 per month')).toBeVisible()
    expect(await screen.findByText('Next payment on Nov 25, 2027: $816.00 instead of $240.00.')).toBeVisible()
  })

  test('members and open invites need no further seat, in any spelling', async () => {
    const { keyboard, emails } = await inviting({ ...startup, subscription_data: { seat_price: 1200 } })
    await keyboard.type(emails, 'Member1@NorthQuay.studio jonah@millrace.co ')
    expect(screen.getByRole('button', { name: 'Send 2 invites' })).toBeVisible()
    expect(screen.queryByText(/more seat/)).toBeNull()
    await keyboard.type(emails, 'ada@x.example ')
    expect(await screen.findByText('1 more seat once they join')).toBeVisible()
  })

  test('during a trial it names the first paid day', async () => {
    const trial_end = new Date(Date.now() + 14 * 86_400_000).toISOString()
    const { keyboard, emails } = await inviting({
      ...startup,
      subscription_data: { seat_price: 1200, trial_end },
    })
    await keyboard.type(emails, 'ada@x.example ')
    expect(await screen.findByText(/^1 more seat from \w+ \d+, \d{4}$/)).toBeVisible()
  })

  test('an administrator sees no price and loads none', async () => {
    const { server, keyboard, emails } = await inviting({ ...startup, permission: 'admin' })
    await keyboard.type(emails, 'ada@x.example ')
    expect(screen.getByRole('button', { name: 'Send 1 invite' })).toBeVisible()
    expect(screen.queryByText(/more seat/)).not.toBeInTheDocument()
    expect(screen.getByText(/^Each person you add is a paid seat\./)).toBeVisible()
    expect(server.asked('billing.subscription')).toHaveLength(0)
    server.answer('team.invite', { data: [], message: '1 invite sent' })
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    await screen.findByText('1 invite sent')
    expect(server.asked('team.invite')[0]?.body).toEqual({ email: 'ada@x.example', permission: 'user' })
  })

  test('Send waits until the price has loaded', async () => {
    const later = Promise.withResolvers<{ data: object }>()
    const { server, keyboard, emails } = await inviting({ ...startup, subscription_answer: later.promise })
    await keyboard.type(emails, 'ada@x.example{enter}')
    expect(screen.getByText('Loading the price of a seat…')).toBeVisible()
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    expect(server.asked('team.invite')).toHaveLength(0)
    later.resolve({ data: subscriptionOf({ seat_price: 1200 }) })
    expect(await screen.findByText('$12.00 per month')).toBeVisible()
    server.answer('team.invite', { data: [], message: '1 invite sent' })
    await keyboard.click(screen.getByRole('button', { name: 'Send 1 invite' }))
    await screen.findByText('1 invite sent')
    expect(server.asked('team.invite')[0]?.body).toMatchObject({ quote: quoteOf(1200) })
  })

  test('a price that failed to load says so, and Send is disabled until a retry succeeds', async () => {
    const failure = Promise.resolve({ status: 503, json: { message: 'Busy', code: 'busy' } })
    const { server, keyboard, emails } = await inviting({ ...startup, subscription_answer: failure })
    await keyboard.type(emails, 'ada@x.example ')
    expect(await screen.findByText('The price of a seat couldn’t be loaded')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Send 1 invite' })).toBeDisabled()
    server.answer('billing.subscription', { data: subscriptionOf({ seat_price: 1200 }) })
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('$12.00 per month')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Send 1 invite' })).toBeEnabled()
  })

  test('a flat plan shows no further cost', async () => {
    const { server, keyboard, emails } = await inviting()
    await keyboard.type(emails, 'ada@x.example ')
    await waitFor(() => expect(server.asked('billing.subscription')).toHaveLength(1))
    expect(screen.queryByText(/more seat/)).not.toBeInTheDocument()
  })
})

test('a link to the dialog focuses its field when the fields have loaded', async () => {
  const page = await visit({ path: '/account/users?create=1', user: sessionUser({ plan: 'startup' }) })
  const later = Promise.withResolvers<{ data: typeof roles }>()
  page.server
    .answer('team.permissions', () => later.promise)
    .answer('team.list', { json: listed() })
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', { data: subscriptionOf() })
  page.open()
  const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
  expect(dialog.getByRole('button', { name: 'Close' })).toHaveFocus()
  later.resolve({ data: roles })
  await waitFor(() => expect(dialog.getByLabelText('Email addresses')).toHaveFocus())
})

test('a user created with a password adds a seat from today, without an invite to accept', async () => {
  const page = await visit({ path: '/account/users?create=1', user: sessionUser({ plan: 'startup' }) })
  page.server
    .answer('team.permissions', { data: roles })
    .answer('team.list', { json: listed() })
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', { data: subscriptionOf({ seat_price: 1200 }) })
  page.open()
  const dialog = within(await screen.findByRole('dialog', { name: 'Create user' }))
  await page.keyboard.click(await dialog.findByRole('switch', { name: 'Set a password for them' }))
  await page.keyboard.type(dialog.getByLabelText('Email address'), 'ada@x.example ')
  expect(await dialog.findByText('1 more seat from today')).toBeVisible()
})
