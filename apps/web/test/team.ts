import { screen, within } from '@testing-library/react'
import { visit } from './app.tsx'
import { sessionUser } from './people.ts'
import { priceList, subscriptionOf, upcomingOf } from './plans.ts'
import type { FakeServer } from './server.ts'

export const ids = [1, 2, 3, 4, 5].map(n => `00000000-0000-4000-8000-00000000000${n}`)
const at = '2026-11-20T09:31:00.000Z'

export const member = (n: number, change: Record<string, unknown> = {}) => ({
  id: ids[n],
  you: false,
  name: 'Tomás Ribeiro',
  first_name: 'Tomás',
  last_name: 'Ribeiro',
  email: `member${n}@northquay.studio`,
  avatar: null,
  permission: 'user',
  verified: true,
  status: 'verified',
  last_login: at,
  date_created: at,
  editable: false,
  ...change,
})
const invite = {
  id: ids[4],
  email: 'jonah@millrace.co',
  permission: 'user',
  date_sent: at,
  status: 'invited',
  expired: false,
}
const users = [
  member(0, { you: true, name: 'Mara Aldous', permission: 'owner' }),
  member(1, { name: 'Ada Byrne', permission: 'admin' }),
  member(2, { name: 'Inês Carvalho', permission: 'developer', last_login: null }),
  member(3, { name: 'Oskar Svensson', verified: false, status: 'registered', editable: true }),
]
const team = {
  users,
  invites: [invite],
  order: ids,
  only_owner: true,
  seats: { used: 4, held: 1, limit: 20 },
}

/** The answer of the team list. */
export const listed = (order = ids, seats = team.seats) => ({
  data: { ...team, order, seats },
  page: { start: 1, total: order.length, previous: null, next: 'more' },
})

type Answer = Parameters<FakeServer['answer']>[1]

/** Opens the team screen with its answers. */
export async function openTeam(
  permission: 'owner' | 'admin' = 'owner',
  path = '/account/users',
  seats = team.seats,
  answer: Answer = { json: listed(ids, seats) },
  subscription: Answer = { data: subscriptionOf({ seat_price: 1200 }) },
) {
  const page = await visit({ path, user: sessionUser({ permission, plan: 'startup' }) })
  page.server
    .answer('team.list', answer)
    .answer('team.permissions', { data: { admin: { label: 'Administrator' }, user: { label: 'User' } } })
    .answer('billing.plans', { data: priceList({ active: 'startup' }) })
    .answer('billing.subscription', subscription)
    .answer('billing.upcoming', { data: upcomingOf() })
  page.open()
  await screen.findByText('Ada Byrne')
  return page
}
export const line = (text: string) => {
  const row = screen.getAllByRole('row').find(one => one.textContent?.includes(text))
  if (!row) throw new Error(`No row with ${text}`)
  return row
}
export async function menuOf(page: Awaited<ReturnType<typeof openTeam>>, text: string) {
  await page.keyboard.click(within(line(text)).getByRole('button', { name: /^Actions for/ }))
  return screen.findAllByRole('menuitem')
}
export const wordsOf = (items: HTMLElement[]) => items.map(({ textContent }) => textContent)
