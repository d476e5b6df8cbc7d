import { beforeEach, expect, test } from 'vitest'
import { withTexts } from '../../../../test/app.tsx'
import { fakeServer } from '../../../../test/server.ts'
import { fakeStripe } from '../../../../test/stripe.ts'
import { savedCardAdapter } from './saved-card-adapter.ts'

beforeEach(async () => {
  await withTexts('en', ['global', 'billing'])
})

test('[rule:form.card.action] with real keys Stripe itself asks the bank; its field is opened and closed unseen', async () => {
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

test.each([null, 'http://localhost:5001'])('no card is made of nothing, sandbox %s', async sandbox_url => {
  const { all } = fakeServer()
  const bank = savedCardAdapter({ publishable_key: 'pk', sandbox_url })
  expect(await bank.tokenize()).toMatchObject({ code: 'incomplete' })
  expect(all).toEqual([])
})

test('the sandbox is asked where it stands in', async () => {
  fakeServer()
    .answer('settings.read', {
      data: { payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' } },
    })
    .answer('GET /v1/payment_intents/pi_1', { json: { id: 'pi_1', status: 'succeeded' } })
  const bank = savedCardAdapter({ publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' })
  expect(await bank.confirm('pi_1_secret_x', 'payment')).toEqual({ status: 'succeeded', id: 'pi_1' })
})
