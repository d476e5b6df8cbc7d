import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { address, visit } from '../../test/app.tsx'
import { sessionUser } from '../../test/people.ts'
import { priceList, subscriptionOf } from '../../test/plans.ts'
import { loadAnew } from '../lib/document.ts'
import { navigate } from '../lib/navigate.ts'

vi.mock('../lib/document.ts', async original => ({ ...(await original<object>()), loadAnew: vi.fn() }))

beforeEach(() => {
  vi.mocked(loadAnew).mockReset()
  vi.spyOn(console, 'error').mockReturnValue()
})

async function openAt(path: string) {
  const page = await visit({ path, user: sessionUser() })
  page.server
    .answer('settings.read', {
      data: {
        payments: { publishable_key: 'pk_live_1', sandbox_url: null },
        inbox_url: null,
        support_email: 'help@plinth.example',
        locales: ['en', 'de'],
      },
    })
    .answer('billing.plans', { data: priceList({ active: 'free' }) })
    .answer('billing.subscription', { data: subscriptionOf({ plan: 'free', status: 'active' }) })
  page.open()
  await screen.findByRole('main')
  return page
}
const go = (path: string) => act(async () => navigate(path))
const back = () => act(async () => window.history.back())

describe('[T-02] with real payment keys', () => {
  test.each(['/account/upgrade', '/account/billing'])('opening %s reloads the page', async path => {
    await openAt('/help')
    await go(path)
    await waitFor(() => expect(loadAnew).toHaveBeenCalledOnce())
    expect(address()).toBe(path)
    expect(screen.queryByRole('main')).toBeNull()
  })

  test('leaving reloads the page too; going back does not', async () => {
    await openAt('/account/upgrade')
    await go('/help')
    await waitFor(() => expect(loadAnew).toHaveBeenCalledOnce())
    await back()
    await waitFor(() => expect(address()).toBe('/account/upgrade'))
    expect(loadAnew).toHaveBeenCalledOnce()
  })

  test('does not reload between card pages', async () => {
    await openAt('/account/upgrade')
    await go('/account/upgrade?plan=scale')
    await go('/account/billing')
    await screen.findByRole('main')
    expect(loadAnew).not.toHaveBeenCalled()
  })

  test('does not reload between pages without a card', async () => {
    await openAt('/help')
    await go('/account')
    expect(loadAnew).not.toHaveBeenCalled()
  })
})
