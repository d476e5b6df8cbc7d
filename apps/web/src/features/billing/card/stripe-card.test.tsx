import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { visit } from '../../../../test/app.tsx'
import { sessionUser } from '../../../../test/people.ts'
import { previewOf, priceList, subscriptionOf } from '../../../../test/plans.ts'
import { fakeStripe } from '../../../../test/stripe.ts'
import { setDark } from '../../../lib/theme.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

const settings = {
  payments: { publishable_key: 'pk_live_1', sandbox_url: null },
  inbox_url: null,
  support_email: 'help@plinth.example',
  locales: ['en', 'de'],
}

const toScale = previewOf()

/** The upgrade page of an installation with Stripe keys. */
async function openUpgrade() {
  const page = await visit({ path: '/account/upgrade?plan=scale', user: sessionUser() })
  page.server
    .answer('settings.read', { data: settings })
    .answer('billing.plans', { data: priceList({ active: 'free', trial: false }) })
    .answer('billing.subscription', { data: subscriptionOf({ plan: 'free', status: 'active' }) })
    .answer('billing.previewPlan', { data: toScale })
    .answer('billing.upgrade', { data: { plan: 'scale', subscription: 'active', pending_plan: null } })
    .answer('events.track', { data: {} })
  const provider = fakeStripe()
  const opened = provider.install()
  page.open()
  return { ...page, provider, opened, submit: () => screen.getByRole('button', { name: 'Pay $49.00' }) }
}

async function openWithReadyCard() {
  const page = await openUpgrade()
  await waitFor(() => expect(page.provider.element.mount).toHaveBeenCalledOnce())
  await screen.findByRole('button', { name: 'Pay $49.00' })
  return page
}
const frame = () => screen.getByRole('group', { name: 'Card' })

describe('the card field with Stripe keys', () => {
  test('uses the publishable key, our language and colors, and has a label', async () => {
    const { provider, opened } = await openWithReadyCard()
    expect(opened).toHaveBeenCalledWith('pk_live_1', { locale: 'en' })
    expect(provider.element.mount).toHaveBeenCalledWith(frame())
    expect(document.querySelector('label.label')).toHaveAttribute('for', frame().id)
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('[rule:required.card] an empty card shows the required error and focuses Stripe’s frame', async () => {
    const { provider, keyboard, server, submit } = await openWithReadyCard()
    await keyboard.click(submit())
    expect(await screen.findByText('Enter a card')).toBeVisible()
    await waitFor(() => expect(provider.element.focus).toHaveBeenCalled())
    act(() => provider.happens('change', { empty: false }))
    await waitFor(() => expect(screen.queryByText('Enter a card')).toBeNull())
    act(() => provider.happens('change', { empty: true }))
    expect(await screen.findByText('Enter a card')).toBeVisible()
    expect(server.asked('billing.upgrade')).toHaveLength(0)
  })

  test('[rule:form.card.token] only the token reaches our server; the field is disabled while it is created', async () => {
    const { provider, keyboard, server, submit } = await openWithReadyCard()
    act(() => provider.happens('change'))
    await keyboard.click(submit())
    await screen.findByText('You’re now on Scale')
    expect(server.asked('billing.upgrade')[0]?.body).toEqual({
      plan: 'scale',
      token: 'pm_real',
      quote: toScale.quote,
    })
    expect(provider.element.update).toHaveBeenCalledWith({ disabled: true })
    expect(provider.element.destroy).toHaveBeenCalled()
  })

  test('a declined card shows an error and keeps the input; a corrected card gets a new token', async () => {
    const { provider, keyboard, server, submit } = await openWithReadyCard()
    server.answer('billing.upgrade', {
      status: 422,
      json: { message: 'Your card was declined', code: 'card_declined', inputError: 'token' },
    })
    act(() => provider.happens('change'))
    await keyboard.click(submit())
    expect(await screen.findByText('Your card was declined')).toBeVisible()
    expect(frame()).toHaveAccessibleDescription('Your card was declined')
    expect(frame().closest('.control')).toHaveAttribute('aria-invalid', 'true')
    expect(provider.element.destroy).not.toHaveBeenCalled()
    expect(provider.element.update).toHaveBeenLastCalledWith({ disabled: false })
    provider.stripe.createPaymentMethod.mockResolvedValue({ paymentMethod: { id: 'pm_other' } })
    act(() => provider.happens('change'))
    await keyboard.click(submit())
    await waitFor(() => expect(server.asked('billing.upgrade')).toHaveLength(2))
    expect(server.asked('billing.upgrade')[1]?.body).toMatchObject({ token: 'pm_other' })
  })

  test('[rule:form.card.action] Stripe asks the bank, and the call is repeated with the result', async () => {
    const { provider, keyboard, server, submit } = await openWithReadyCard()
    server.answer('billing.upgrade', ({ body }) => ({
      data: JSON.stringify(body).includes('pi_1')
        ? { plan: 'scale', subscription: 'active', pending_plan: null }
        : { requires_payment_action: true, client_secret: 'pi_1_secret_x', kind: 'payment' },
    }))
    provider.stripe.confirmCardPayment.mockResolvedValue({
      paymentIntent: { id: 'pi_1', status: 'succeeded' },
    })
    act(() => provider.happens('change'))
    await keyboard.click(submit())
    await screen.findByText('You’re now on Scale')
    expect(server.asked('billing.upgrade')[1]?.body).toEqual({
      plan: 'scale',
      token: 'pm_real',
      payment_intent: 'pi_1',
      quote: toScale.quote,
    })
  })

  test('shows a focus ring while Stripe’s frame has focus, and follows the theme', async () => {
    const { provider } = await openWithReadyCard()
    act(() => provider.happens('focus'))
    expect(frame().closest('.control')).toHaveClass('is-focus')
    act(() => provider.happens('blur'))
    expect(frame().closest('.control')).not.toHaveClass('is-focus')
    provider.element.update.mockClear()
    act(() => setDark(true))
    expect(provider.element.update).toHaveBeenCalledWith({
      style: expect.objectContaining({ base: expect.any(Object) }),
    })
  })

  test('shows an error if the field does not load, and a retry loads it', async () => {
    const { provider, keyboard } = await openWithReadyCard()
    act(() => provider.happens('loaderror'))
    expect(screen.getByRole('alert')).toHaveTextContent(/card form didn’t load/)
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(provider.element.mount).toHaveBeenCalledTimes(2))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(provider.element.destroy).toHaveBeenCalledOnce()
  })

  test('shows no card field until the settings are loaded, which can be retried', async () => {
    vi.resetModules()
    const { CardInput } = await import('./CardInput.tsx')
    const { render } = await import('@testing-library/react')
    const { withTexts } = await import('../../../../test/app.tsx')
    const { fakeServer } = await import('../../../../test/server.ts')
    const server = fakeServer()
    await withTexts('en', ['global', 'billing'])
    const provider = fakeStripe()
    provider.install()
    const control = { name: 'token', label: 'Card', value: null, disabled: false, onChange: vi.fn() }
    const rest = {
      onBlur: vi.fn(),
      ref: vi.fn(),
      help: null,
      error: undefined,
      large: false,
      onAdapter: vi.fn(),
    }
    render(<CardInput control={{ ...control, ...rest }} />)
    expect(await screen.findByText(/card form didn’t load/)).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
    server.answer('settings.read', { data: settings })
    screen.getByRole('button', { name: 'Try again' }).click()
    await waitFor(() => expect(rest.onAdapter).toHaveBeenCalledWith(expect.any(Object)))
  })
})
