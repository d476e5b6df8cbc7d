import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { quoteOf, subscriptionOf, upcomingOf } from '../../../test/plans.ts'
import { ids, listed, menuOf, openTeam } from '../../../test/team.ts'

type Answer = Parameters<typeof openTeam>[4]

/** The team with one invite, to jonah@millrace.co. */
async function withInvite({ expired, subscription }: { expired: boolean; subscription: Answer }) {
  const { data, page } = listed()
  const invites = data.invites.map(invite => ({ ...invite, expired }))
  const list = { json: { data: { ...data, invites }, page } }
  const shown = await openTeam('owner', undefined, undefined, list, subscription)
  shown.server.answer('team.invite', { data: [{ id: ids[4] }], message: 'Invite sent' })
  return shown
}
type Page = Awaited<ReturnType<typeof withInvite>>

const resend = async (page: Page) => page.keyboard.click((await menuOf(page, 'jonah'))[0] ?? document.body)
const sent = (page: Page) => page.server.asked('team.invite').map(({ body }) => body)
const jonah = { email: 'jonah@millrace.co', permission: 'user' }
const priced = { data: subscriptionOf({ seat_price: 1500 }) }

describe('an owner sends an invite again at the price on the screen', () => {
  test('an expired one only after the price of its seat was shown', async () => {
    const page = await withInvite({ expired: true, subscription: priced })
    await screen.findByText(/Each seat costs \$15\.00 per month\./)
    page.server.answer('billing.upcoming', {
      data: upcomingOf({ amount: 3000, date: '2026-12-20T10:00:00.000Z' }),
    })
    await resend(page)
    const asked = within(await screen.findByRole('dialog', { name: /jonah@millrace\.co again/ }))
    expect(asked.getByText('1 more seat once they join')).toBeVisible()
    expect(asked.getByText('$15.00 per month')).toBeVisible()
    expect(await asked.findByText('Next payment on Dec 20, 2026: $30.00.')).toBeVisible()
    expect(sent(page)).toEqual([])
    await page.keyboard.click(asked.getByRole('button', { name: 'Resend invite' }))
    await screen.findByText('Invite sent')
    expect(sent(page)).toEqual([{ ...jonah, quote: quoteOf(1500) }])
  })

  test.each([
    ['one that still holds its seat', false, priced, 1500],
    ['one on a plan with free seats', true, { data: subscriptionOf() }, 0],
  ])('%s at once', async (_which, expired, subscription, amount) => {
    const page = await withInvite({ expired, subscription })
    await waitFor(() => expect(page.server.asked('billing.subscription')).toHaveLength(1))
    await resend(page)
    await screen.findByText('Invite sent')
    expect(sent(page)).toEqual([{ ...jonah, quote: quoteOf(amount) }])
  })

  test('not while the price is unknown, which is fetched again', async () => {
    const page = await withInvite({
      expired: true,
      subscription: { status: 503, json: { message: 'Busy', code: 'busy' } },
    })
    await screen.findByText('Busy')
    page.server.answer('billing.subscription', priced)
    await resend(page)
    expect(await screen.findByText('The price of a seat couldn’t be loaded')).toBeVisible()
    expect(await screen.findByText(/Each seat costs \$15\.00 per month\./)).toBeVisible()
    expect(sent(page)).toEqual([])
  })

  test('a changed price is refetched, and nothing is sent', async () => {
    const page = await withInvite({ expired: false, subscription: priced })
    await screen.findByText(/Each seat costs \$15\.00 per month\./)
    page.server
      .answer('team.invite', {
        status: 409,
        json: { message: 'The price has changed.', code: 'price_changed' },
      })
      .answer('billing.subscription', { data: subscriptionOf({ seat_price: 1800 }) })
    await resend(page)
    expect(await screen.findByText('The price has changed.')).toBeVisible()
    expect(await screen.findByText(/Each seat costs \$18\.00 per month\./)).toBeVisible()
  })
})
