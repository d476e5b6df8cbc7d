import type { Role } from '@plinth/contract/roles'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../../test/people.ts'
import { subscriptionOf } from '../../../../test/plans.ts'
import { routes } from '../../../app/routes.ts'
import { view } from '../../../app/view.ts'
import { paths } from '../../../lib/paths.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

/** Cards of screens that do not exist yet are tested as if their routes existed. */
const kept = routes.map(route => route.view)
afterEach(() => {
  routes.forEach((route, index) => {
    route.view = kept[index]
  })
})
function everyScreenIsThere(): void {
  for (const route of routes) route.view ??= view(async () => () => null)
}

async function overview(
  change: Parameters<typeof sessionUser>[0] = {},
  { path = '/account', profile = {} }: { path?: string; profile?: object } = {},
) {
  const user = sessionUser(change)
  const page = await visit({ path, user, language: user.locale === 'de' ? 'de' : 'en' })
  page.server.answer('profile.read', { data: profileOf(user, { ...profile }) })
  page.open()
  await waitFor(() => expect(address()).toBe('/account'))
  await screen.findByRole('heading', { level: 1 })
  return page
}
const cards = () =>
  within(screen.getByRole('main'))
    .getAllByRole('heading', { level: 3 })
    .map(heading => heading.textContent)
const card = (name: string) => {
  const link = screen.getByRole('heading', { level: 3, name }).closest('a')
  if (!link) throw new Error(`The card ${name} is no link`)
  return link
}

const own = ['Profile', 'Password', 'Two-factor', 'Notifications']
const allowed: Record<Role, string[]> = {
  user: own,
  developer: [...own, 'API keys'],
  admin: [...own, 'Users'],
  owner: [...own, 'Billing', 'API keys', 'Users'],
  master: [...own, 'Billing', 'API keys', 'Users'],
}

describe('[route:/account]', () => {
  test.each(Object.entries(allowed))(
    '[screen:overview.cards] [screen:overview.roles] [const:overview.grid] a %s sees exactly the cards of the role',
    async (role, names) => {
      everyScreenIsThere()
      await overview({ permission: role as Role }) // as: the keys of `allowed`
      expect(cards()).toEqual(names)
      expect(cards().length).toBeLessThanOrEqual(8)
    },
  )

  test('[const:overview.icon] a card is a link with a 20-pixel icon and a text', async () => {
    await overview()
    expect(card('Profile')).toHaveAttribute('href', '/account/profile')
    expect(within(card('Profile')).getByText('Edit profile')).toBeVisible()
    expect(card('Profile').querySelector('svg')).toHaveClass('i20')
  })

  test('[nav:views] no card leads to a screen that does not exist', async () => {
    await overview()
    const targets = within(screen.getByRole('main'))
      .getAllByRole('link')
      .map(link => link.getAttribute('href'))
    const open = new Set<string | null>(routes.filter(({ view }) => view).map(({ path }) => path))
    expect(targets.filter(target => !open.has(target))).toEqual([])
    expect(targets.length).toBeGreaterThan(3)
  })

  test.each([
    [true, 'Change password'],
    [false, 'Create password'],
  ])('[screen:overview.password-card] has_password %s shows %s', async (has_password, words) => {
    everyScreenIsThere()
    await overview({}, { profile: { has_password } })
    await waitFor(() => expect(within(card('Password')).getByText(words)).toBeVisible())
  })

  test.each([
    [true, 'Manage two-factor', 'On. A code from your phone when you sign in.'],
    [false, 'Enable two-factor', 'Off. Add a code from your phone.'],
  ])('[screen:overview.2fa-card] 2fa_enabled %s shows %s', async (enabled, words, text) => {
    await overview({}, { profile: { '2fa_enabled': enabled } })
    await waitFor(() => expect(within(card('Two-factor')).getByText(words)).toBeVisible())
    // Phones show only this text.
    expect(within(card('Two-factor')).getByText(text)).toBeVisible()
  })

  test('[nav:main] the main navigation and the user menu lead here', async () => {
    const { keyboard } = await overview()
    const main = screen.getAllByRole('navigation', { name: 'Main' })[0]
    expect(main && within(main).getByRole('link', { name: 'Account' })).toHaveAttribute(
      'aria-current',
      'page',
    )
    await keyboard.click(card('Profile'))
    await waitFor(() => expect(address()).toBe(paths.profile))
    await keyboard.click(screen.getByRole('button', { name: 'Your menu' }))
    await keyboard.click(await screen.findByRole('menuitem', { name: 'Edit Account' }))
    await waitFor(() => expect(address()).toBe('/account'))
  })

  test('[feature:translated] the cards are translated to German', async () => {
    await overview({ locale: 'de' })
    expect(await screen.findByText('Profil bearbeiten')).toBeVisible()
  })
})

describe('[state:access.subscription] an account that is not paid', () => {
  test.each(['admin', 'developer', 'user'] as const)(
    'a %s is redirected here from the dashboard and reads who can help',
    async permission => {
      await overview({ permission, subscription: 'canceled' }, { path: '/dashboard' })
      expect(screen.getByText('This account’s subscription isn’t active')).toBeVisible()
      expect(screen.getByText(/Ask an owner of the account to/)).toBeVisible()
      expect(cards()).toEqual(['Profile'])
    },
  )

  test('a member reads the names of the owners', async () => {
    await overview(
      { permission: 'user', subscription: 'canceled' },
      { profile: { owners: ['Ines Moreau', 'Tom Berg'] } },
    )
    expect(await screen.findByText(/Ask Ines Moreau or Tom Berg to choose a plan/)).toBeVisible()
  })

  test('a member of an account without a plan arrives here after signing in', async () => {
    await overview(
      { permission: 'admin', plan: null, subscription: null, onboarded: false },
      { path: '/login' },
    )
    expect(screen.getByText('This account’s subscription isn’t active')).toBeVisible()
  })

  test('an owner gets a link to billing', async () => {
    const { server, keyboard } = await overview({ plan: 'startup', subscription: 'requires_payment_method' })
    expect(screen.getByText('Your latest payment failed')).toBeVisible()
    server.answer('billing.subscription', { data: subscriptionOf() })
    const banner = screen.getByText(/See Billing for what to do/).closest('.alert')
    await keyboard.click(within(banner as HTMLElement).getByRole('link', { name: 'Manage billing' })) // as: the line above finds it
    await waitFor(() => expect(address()).toBe('/account/billing'))
  })

  test('a paid account shows no banner', async () => {
    await overview({ permission: 'user' })
    expect(screen.queryByText(/is not active/)).not.toBeInTheDocument()
  })
})
