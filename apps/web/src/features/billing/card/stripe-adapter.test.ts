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
  const card = element as unknown as StripeCardElement // as: the fake has the methods that are called
  return { stripe, element, ...stripeAdapter(stripe as unknown as Stripe, card) } // as: see above
}

test('[call:publishable-key] creates a token from Stripe’s card field', async () => {
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
])('shows a text of ours for Stripe’s error %j', async (error, words) => {
  const { stripe, tokenize } = adapter()
  stripe.createPaymentMethod.mockResolvedValue({ error })
  expect(await tokenize()).toMatchObject({ error: expect.stringMatching(words) })
})

test('logs an error that is not about the card or the bank', async () => {
  const { stripe, tokenize } = adapter()
  stripe.createPaymentMethod.mockResolvedValue({ error: { type: 'invalid_request_error' } })
  await tokenize()
  expect(console.error).toHaveBeenCalled()
})

test('confirms payments and setups with their own Stripe call', async () => {
  const { stripe, confirm } = adapter()
  stripe.confirmCardPayment.mockResolvedValue({ paymentIntent: { id: 'pi_1', status: 'succeeded' } })
  stripe.confirmCardSetup.mockResolvedValue({ setupIntent: { id: 'seti_1', status: 'succeeded' } })
  expect(await confirm('pi_1_secret_x', 'payment')).toEqual({ status: 'succeeded', id: 'pi_1' })
  expect(await confirm('seti_1_secret_x', 'setup')).toEqual({ status: 'succeeded', id: 'seti_1' })
  expect(stripe.confirmCardPayment).toHaveBeenCalledExactlyOnceWith('pi_1_secret_x')
  expect(stripe.confirmCardSetup).toHaveBeenCalledExactlyOnceWith('seti_1_secret_x')
})

test('a refusal by the bank names the intent, so that the server can undo the change', async () => {
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

test('an intent that another tab has confirmed is a success despite the error', async () => {
  const { stripe, confirm } = adapter()
  const done = { id: 'seti_1', status: 'succeeded' }
  stripe.confirmCardSetup.mockResolvedValue({
    error: { type: 'invalid_request_error', code: 'setup_intent_unexpected_state', setup_intent: done },
  })
  expect(await confirm('seti_1_secret_x', 'setup')).toEqual({ status: 'succeeded', id: 'seti_1' })
})

test('an intent that is still open is a failure', async () => {
  const { stripe, confirm } = adapter()
  stripe.confirmCardPayment.mockResolvedValue({ paymentIntent: { id: 'pi_1', status: 'processing' } })
  expect(await confirm('pi_1_secret_x', 'payment')).toMatchObject({ refused: 'pi_1' })
})

test('a failed connection names no intent, because the payment may have been made', async () => {
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
])('[T-01] script URL %s is allowed: %s', (url, passes) => {
  expect(isStripeUrl(url)).toBe(passes)
})
