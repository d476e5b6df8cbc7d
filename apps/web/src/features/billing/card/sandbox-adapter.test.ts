import { beforeEach, expect, test, vi } from 'vitest'
import { withTexts } from '../../../../test/app.tsx'
import { bankConfirmation } from './bank-confirmation.ts'
import { sandboxAdapter } from './sandbox-adapter.ts'

const card = { number: '4242 4242 4242 4242', exp: '12 / 34', cvc: '123' }
const settings = {
  data: { payments: { publishable_key: 'pk_test_sandbox', sandbox_url: 'http://localhost:5001' } },
}

let calls: { address: string; init: RequestInit }[]
/** Replaces fetch: gives these answers in order; an Error is a failed connection. */
function provider(...answers: [status: number, body: object][] | [Error]) {
  calls = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (address === '/api/settings') return new Response(JSON.stringify(settings))
    calls.push({ address, init })
    const answer = answers.shift()
    if (!answer || answer instanceof Error) throw answer ?? new Error(`Nobody prepared ${address}`)
    const [status, body] = answer
    return new Response(JSON.stringify(body), { status })
  })
  return sandboxAdapter({ read: () => card, markInvalid: () => undefined })
}

beforeEach(async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  await withTexts('en', ['global', 'billing'])
})

test('[call:publishable-key] a card goes to the sandbox with the publishable key, never to our server', async () => {
  const adapter = provider([200, { id: 'pm_1' }])
  expect(await adapter.tokenize()).toEqual({ id: 'pm_1' })
  expect(calls.map(({ address }) => address)).toEqual(['http://localhost:5001/v1/payment_methods'])
  const { method, headers, body } = calls[0]?.init ?? {}
  expect(method).toBe('POST')
  expect(headers).toEqual({ authorization: 'Bearer pk_test_sandbox' })
  expect(Object.fromEntries(body as URLSearchParams)).toEqual({
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
  })
})

test('an invalid card is not sent, and the wrong input is marked', async () => {
  provider()
  const markInvalid = vi.fn()
  const adapter = sandboxAdapter({ read: () => ({ ...card, cvc: '1' }), markInvalid })
  expect(await adapter.tokenize()).toMatchObject({ error: expect.stringContaining('3 digits') })
  expect(markInvalid).toHaveBeenCalledWith('cvc')
  expect(calls).toEqual([])
})

test.each([
  [{ code: 'card_declined', decline_code: 'insufficient_funds' }, /insufficient funds/],
  [{ code: 'expired_card', decline_code: 'expired_card' }, /has expired/],
  [{ code: 'incorrect_number' }, /card number is wrong/],
  [{ code: 'something_new' }, /was declined/],
])('shows a text of ours for the provider’s error %j', async (error, words) => {
  expect(await provider([402, { error }]).tokenize()).toMatchObject({ error: expect.stringMatching(words) })
})

test('a failed connection returns an error for the card field', async () => {
  expect(await provider(new Error('offline')).tokenize()).toMatchObject({ code: 'no_answer' })
})

const waiting = { status: 'requires_action' }
const question = () => vi.waitUntil(() => bankConfirmation.get())

test('a payment without bank confirmation is confirmed by reading its intent', async () => {
  const adapter = provider([200, { status: 'succeeded' }])
  expect(await adapter.confirm('pi_1_secret_x', 'payment')).toEqual({ status: 'succeeded', id: 'pi_1' })
  expect(calls[0]?.address).toBe('http://localhost:5001/v1/payment_intents/pi_1?client_secret=pi_1_secret_x')
})

test('opens the bank’s page, then reads the outcome from the intent', async () => {
  const adapter = provider([200, waiting], [200, { status: 'succeeded' }])
  const done = adapter.confirm('seti_1_secret_x', 'setup')
  const asked = await question()
  expect(asked).toMatchObject({
    origin: 'http://localhost:5001',
    intent: 'seti_1',
    secret: 'seti_1_secret_x',
  })
  asked?.end('answered')
  expect(await done).toEqual({ status: 'succeeded', id: 'seti_1' })
})

test('returns an error when the bank refuses', async () => {
  const error = { code: 'payment_intent_authentication_failure' }
  const adapter = provider(
    [200, waiting],
    [200, { status: 'requires_payment_method', last_payment_error: error }],
  )
  const done = adapter.confirm('pi_1_secret_x', 'payment')
  ;(await question())?.end('answered')
  expect(await done).toMatchObject({ error: expect.stringContaining('did not authorize') })
})

test('closing the bank’s page cancels without another request', async () => {
  const adapter = provider([200, waiting])
  const done = adapter.confirm('pi_1_secret_x', 'payment')
  ;(await question())?.end('canceled')
  expect(await done).toMatchObject({ code: 'canceled' })
  expect(calls).toHaveLength(1)
})
