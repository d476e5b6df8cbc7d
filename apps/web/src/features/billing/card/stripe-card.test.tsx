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

/** An installation with payment keys of its own. */
async function paying() {
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

async function ready() {
  const page = await paying()
  await waitFor(() => expect(page.provider.element.mount).toHaveBeenCalledOnce())
  await screen.findByRole('button', { name: 'Pay $49.00' })
  return page
}
const frame = () => screen.getByRole('group', { name: 'Card' })

describe('real keys: the card is Stripe’s field', () => {
  test('opened with the installation’s key, in our language and colours, and named by its label', async () => {
    const { provider, opened } = await ready()
    expect(opened).toHaveBeenCalledWith('pk_live_1', { locale: 'en' })
    expect(provider.element.mount).toHaveBeenCalledWith(frame())
    expect(document.querySelector('label.label')).toHaveAttribute('for', frame().id)
    expect(screen.queryByLabelText('Card number')).toBeNull()
  })

  test('[rule:required.card] empty fails the required check, and the focus goes into the frame', async () => {
    const { provider, keyboard, server, submit } = await ready()
    await keyboard.click(submit())
    expect(await screen.findByText('Enter a card')).toBeVisible()
    await waitFor(() => expect(provider.element.focus).toHaveBeenCalled())
    act(() => provider.happens('change', { empty: false }))
    await waitFor(() => expect(screen.queryByText('Enter a card')).toBeNull())
    act(() => provider.happens('change', { empty: true }))
    expect(await screen.findByText('Enter a card')).toBeVisible()
    expect(server.asked('billing.upgrade')).toHaveLength(0)
  })

  test('[rule:form.card.token] only its token reaches our server; the frame is disabled meanwhile', async () => {
    const { provider, keyboard, server, submit } = await ready()
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

  test('a refused card is told at the field, which keeps what was typed; another card is another token', async () => {
    const { provider, keyboard, server, submit } = await ready()
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

  test('[rule:form.card.action] the bank is asked by Stripe, and the call repeated with what it says', async () => {
    const { provider, keyboard, server, submit } = await ready()
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

  test('the ring is drawn while the focus is in the frame, and the colours follow the theme', async () => {
    const { provider } = await ready()
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

  test('a field that does not load says so, and another try opens it anew', async () => {
    const { provider, keyboard } = await ready()
    act(() => provider.happens('loaderror'))
    expect(screen.getByRole('alert')).toHaveTextContent(/card form didn’t load/)
    await keyboard.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(provider.element.mount).toHaveBeenCalledTimes(2))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(provider.element.destroy).toHaveBeenCalledOnce()
  })

  test('who takes cards can be asked again, and no box is drawn before that is known', async () => {
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
