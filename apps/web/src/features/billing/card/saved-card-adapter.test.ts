import { beforeEach, expect, test } from 'vitest'
import { withTexts } from '../../../../test/app.tsx'
import { fakeServer } from '../../../../test/server.ts'
import { fakeStripe } from '../../../../test/stripe.ts'
import { savedCardAdapter } from './saved-card-adapter.ts'

beforeEach(async () => {
  await withTexts('en', ['global', 'billing'])
})

test('[rule:form.card.action] with Stripe keys, Stripe asks the bank, and its hidden card field is destroyed', async () => {
  const { stripe, element, install } = fakeStripe()
  const opened = install()
  stripe.confirmCardPayment.mockResolvedValue({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })
  const bank = savedCardAdapter({ publishable_key: 'pk_live_1', sandbox_url: null })
  expect(await bank.confirm('pi_1_secret_x', 'payment')).toEqual({ status: 'succeeded', id: 'pi_1' })
  expect(opened).toHaveBeenCalledWith('pk_live_1', { locale: 'en' })
  expect(stripe.confirmCardPayment).toHaveBeenCalledWith('pi_1_secret_x')
  expect(element.mount).not.toHaveBeenCalled()
  expect(element.destroy).toHaveBeenCalled()
})

test.each([null, 'http://localhost:5001'])(
  'creates no token without a typed card, sandbox %s',
  async sandbox_url => {
    const { all } = fakeServer()
    const bank = savedCardAdapter({ publishable_key: 'pk', sandbox_url })
    expect(await bank.tokenize()).toMatchObject({ code: 'incomplete' })
    expect(all).toEqual([])
  },
)

test('uses the sandbox if the settings contain its URL', async () => {
  fakeServer()
    .answer('settings.read', {
      data: { payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' } },
    })
    .answer('GET /v1/payment_intents/pi_1', { json: { id: 'pi_1', status: 'succeeded' } })
  const bank = savedCardAdapter({ publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' })
  expect(await bank.confirm('pi_1_secret_x', 'payment')).toEqual({ status: 'succeeded', id: 'pi_1' })
})
