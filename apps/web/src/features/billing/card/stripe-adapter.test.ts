import type { Stripe, StripeCardElement } from '@stripe/stripe-js'
import { beforeEach, expect, test, vi } from 'vitest'
import { withTexts } from '../../../../test/app.tsx'
import { fakeStripe } from '../../../../test/stripe.ts'
import { isStripeUrl } from './stripe.ts'
import { stripeAdapter } from './stripe-adapter.ts'

beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  await withTexts('en', ['global', 'billing'])
})

function adapter() {
  const { stripe, element } = fakeStripe()
  const card = element as unknown as StripeCardElement // as: a double of what the product calls
  return { stripe, element, ...stripeAdapter(stripe as unknown as Stripe, card) } // as: the same
}

test('[call:publishable-key] the card goes from Stripe’s frame to Stripe, and its token comes back', async () => {
  const { stripe, element, tokenize } = adapter()
  expect(await tokenize()).toEqual({ id: 'pm_real' })
  expect(stripe.createPaymentMethod).toHaveBeenCalledWith({ type: 'card', card: element })
})

test.each([
  [{ type: 'validation_error', code: 'incomplete_number' }, /number is incomplete/],
  [{ type: 'validation_error', code: 'incomplete_cvc' }, /Enter your card’s security code/],
  [{ type: 'validation_error', code: 'invalid_expiry_year_past' }, /has expired/],
  [{ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' }, /insufficient funds/],
  [{ type: 'card_error', code: 'something_new' }, /was declined/],
  [{ type: 'api_connection_error' }, /Check your connection/],
  [{ type: 'invalid_request_error', code: 'api_key_expired' }, /could not be processed/],
])('Stripe’s %j becomes our words', async (error, words) => {
  const { stripe, tokenize } = adapter()
  stripe.createPaymentMethod.mockResolvedValue({ error })
  expect(await tokenize()).toMatchObject({ error: expect.stringMatching(words) })
})

test('what is neither the card’s nor the bank’s fault is logged', async () => {
  const { stripe, tokenize } = adapter()
  stripe.createPaymentMethod.mockResolvedValue({ error: { type: 'invalid_request_error' } })
  await tokenize()
  expect(console.error).toHaveBeenCalled()
})

test('a payment and a setup are confirmed each by its own call', async () => {
  const { stripe, confirm } = adapter()
  stripe.confirmCardPayment.mockResolvedValue({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })
  stripe.confirmCardSetup.mockResolvedValue({ setupIntent: { id: 'seti_1', status: 'succeeded' } })
  expect(await confirm('pi_1_secret_x', 'payment')).toEqual({ status: 'succeeded', id: 'pi_1' })
  expect(await confirm('seti_1_secret_x', 'setup')).toEqual({ status: 'succeeded', id: 'seti_1' })
  expect(stripe.confirmCardPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret_x')
  expect(stripe.confirmCardSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret_x')
})

test('the bank’s no names what it refused, so that the server takes it back', async () => {
  const { stripe, confirm } = adapter()
  const failed = { id: 'pi_1', status: 'requires_payment_method' }
  stripe.confirmCardPayment.mockResolvedValue({
    error: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      payment_intent: failed,
    },
  })
  expect(await confirm('pi_1_secret_x', 'payment')).toMatchObject({
    error: expect.stringContaining('did not authorize'),
    refused: 'pi_1',
  })
})

test('an intent that another tab has confirmed is a success, whatever the call said', async () => {
  const { stripe, confirm } = adapter()
  const done = { id: 'seti_1', status: 'succeeded' }
  stripe.confirmCardSetup.mockResolvedValue({
    error: { type: 'invalid_request_error', code: 'setup_intent_unexpected_state', setup_intent: done },
  })
  expect(await confirm('seti_1_secret_x', 'setup')).toEqual({ status: 'succeeded', id: 'seti_1' })
})

test('an intent that is still open is no success', async () => {
  const { stripe, confirm } = adapter()
  stripe.confirmCardPayment.mockResolvedValue({ paymentIntent: { id: 'pi_1', status: 'processing' } })
  expect(await confirm('pi_1_secret_x', 'payment')).toMatchObject({ refused: 'pi_1' })
})

test('a broken connection refuses nothing: the payment may have been made', async () => {
  const { stripe, confirm } = adapter()
  stripe.confirmCardPayment.mockResolvedValue({ error: { type: 'api_connection_error' } })
  expect(await confirm('pi_1_secret_x', 'payment')).toEqual({
    error: expect.stringContaining('connection'),
    code: 'no_answer',
  })
})

test.each([
  ['https://js.stripe.com/endive/stripe.js', true],
  ['https://b.js.stripe.com/x.js', true],
  ['http://js.stripe.com/endive/stripe.js', false],
  ['https://js.stripe.com.evil.example/stripe.js', false],
  ['https://evil.example/js.stripe.com/', false],
  ['https://evil-js.stripe.com/', false],
  ['https://js.stripe.com:444/', false],
  ['/theme.js', false],
  ['data:text/javascript,alert(1)', false],
  ['https://', false],
])('[T-01] of scripts’ addresses %s passes: %s', (url, passes) => {
  expect(isStripeUrl(url)).toBe(passes)
})
