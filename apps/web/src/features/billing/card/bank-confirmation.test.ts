import { expect, test } from 'vitest'
import { bankConfirmation, bankResultOf, requestBankConfirmation } from './bank-confirmation.ts'

const question = { origin: 'http://localhost:5001', intent: 'pi_1', secret: 'pi_1_secret_x' }
const frame = window
const message = (change: Partial<MessageEvent>) => ({
  origin: question.origin,
  source: frame,
  data: { type: 'plinth-3ds', intent: 'pi_1', outcome: 'complete' },
  ...change,
})

test('reads the result from a message of the bank’s page', () => {
  expect(bankResultOf(message({}), question, frame)).toBe('answered')
  expect(bankResultOf(message({ data: { type: 'plinth-3ds', outcome: 'cancel' } }), question, frame)).toBe(
    'canceled',
  )
})

test.each([
  ['another origin', { origin: 'http://evil.example' }],
  ['another window', { source: null }],
  ['another kind of message', { data: { type: 'hello' } }],
  ['another intent', { data: { type: 'plinth-3ds', intent: 'pi_2', outcome: 'complete' } }],
  ['no data', { data: null }],
])('ignores a message with %s', (_what, change) => {
  expect(bankResultOf(message(change), question, frame)).toBeNull()
})

test('ignores messages without a frame', () => {
  expect(bankResultOf(message({ source: null }), question, undefined)).toBeNull()
})

test('a confirmation is open until it ends', async () => {
  const ended = requestBankConfirmation(question)
  expect(bankConfirmation.get()).toMatchObject(question)
  bankConfirmation.get()?.end('canceled')
  await expect(ended).resolves.toBe('canceled')
  expect(bankConfirmation.get()).toBeNull()
})
