import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../test/app.tsx'
import { profileOf, sessionUser } from '../../../test/people.ts'
import type { Told } from '../../../test/server.ts'
import { wantTexts } from '../../lib/i18n/texts.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})
afterEach(() => {
  vi.useRealTimers()
})

async function page(change: Parameters<typeof sessionUser>[0] = {}) {
  const user = sessionUser(change)
  const visitor = await visit({ path: '/account/password', user })
  await wantTexts('en', ['feedback'])
  visitor.server.answer('profile.read', { data: profileOf(user) })
  visitor.open()
  await screen.findByRole('heading', { level: 1 })
  return visitor
}
const heart = () => screen.queryByRole('button', { name: 'Give feedback' })
const face = (name: string) => screen.getByRole('radio', { name })

async function opened(change?: Parameters<typeof page>[0]) {
  const visitor = await page(change)
  await visitor.keyboard.click(heart() ?? document.body)
  await screen.findByRole('region', { name: 'How is Plinth working for you?' })
  return visitor
}

describe('[screen:feedback.heart] [screen:feedback.faces] [state:feedback.flow] the feedback widget', () => {
  test('choosing one of three faces shows an optional comment [call:POST /api/feedback]', async () => {
    const { keyboard, server } = await opened()
    expect(screen.getAllByRole('radio').map(radio => radio.textContent)).toEqual(['Good', 'Fair', 'Poor'])
    expect(screen.queryByRole('textbox', { name: /optional/ })).toBeNull()
    await keyboard.click(face('Poor'))
    expect(screen.getByRole('textbox', { name: 'What went wrong? (optional)' })).toHaveValue('')
    await keyboard.click(face('Good'))
    await keyboard.type(screen.getByRole('textbox', { name: 'What made it good? (optional)' }), 'All of it')
    server.answer('feedback.send', { data: {} })
    await keyboard.click(screen.getByRole('button', { name: 'Send feedback' }))
    expect(await screen.findByText('Thank you')).toBeVisible()
    expect(server.asked('feedback.send').map(({ body }) => body)).toEqual([
      { rating: 'positive', comment: 'All of it' },
    ])
  })

  test('[const:feedback.close] closes three seconds after sending, and the button has the focus again', async () => {
    const { server, keyboard } = await opened()
    server.answer('feedback.send', { data: {} })
    await keyboard.click(face('Fair'))
    vi.useFakeTimers()
    const after = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    fireEvent.click(screen.getByRole('button', { name: 'Send feedback' }))
    await after(100)
    await after(2800)
    expect(screen.getByText('Thank you')).toBeVisible()
    await after(200)
    expect(screen.queryByText('Thank you')).toBeNull()
    expect(heart()).toHaveFocus()
    expect(heart()).toHaveAttribute('aria-expanded', 'false')
  })

  test('a double click sends once', async () => {
    const { keyboard, server } = await opened()
    const answer = Promise.withResolvers<Told>()
    server.answer('feedback.send', () => answer.promise)
    await keyboard.click(face('Good'))
    await keyboard.dblClick(screen.getByRole('button', { name: 'Send feedback' }))
    answer.resolve({ data: {} })
    await screen.findByText('Thank you')
    expect(server.asked('feedback.send')).toHaveLength(1)
  })

  test('a failure shows an error, and the comment stays', async () => {
    const { keyboard, server } = await opened()
    server.answer('feedback.send', { status: 429, text: 'Too many tries.' })
    await keyboard.click(face('Good'))
    await keyboard.type(screen.getByRole('textbox', { name: /optional/ }), 'Words')
    await keyboard.click(screen.getByRole('button', { name: 'Send feedback' }))
    expect(await screen.findByText('Too many tries.')).toBeVisible()
    expect(screen.getByRole('textbox', { name: /optional/ })).toHaveValue('Words')
    // The comment survives closing, too.
    const region = screen.getByRole('region', { name: 'How is Plinth working for you?' })
    await keyboard.click(within(region).getByRole('button', { name: 'Close' }))
    await keyboard.click(heart() ?? document.body)
    await keyboard.click(await screen.findByRole('radio', { name: 'Good' }))
    expect(screen.getByRole('textbox', { name: /optional/ })).toHaveValue('Words')
  })

  test('Escape and the button close it', async () => {
    const { keyboard } = await opened()
    await keyboard.keyboard('{Escape}')
    expect(screen.queryByRole('radiogroup')).toBeNull()
    expect(heart()).toHaveFocus()
    await keyboard.keyboard('{Enter}')
    await screen.findByRole('radiogroup')
    await keyboard.click(heart() ?? document.body)
    await waitFor(() => expect(screen.queryByRole('radiogroup')).toBeNull())
  })

  test.each([
    ['support acts as a user', { support_until: '2026-09-01T08:00:00.000Z' }],
    ['the account is not paid', { subscription: 'canceled' }],
  ])('the button is hidden while %s', async (_what, change) => {
    const user = sessionUser(change)
    const visitor = await visit({ path: '/account', user })
    visitor.server.answer('profile.read', { data: profileOf(user) })
    visitor.open()
    await screen.findByRole('heading', { level: 1 })
    expect(heart()).toBeNull()
  })
})
