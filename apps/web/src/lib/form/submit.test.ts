import { expect, test } from 'vitest'
import { ApiError, CardRefused } from '../api/error.ts'
import { card } from '../inputs/card.tsx'
import type { CardAdapter } from './card-adapter.ts'
import { text } from './inputs.tsx'
import { createSender } from './submit.ts'

type Sent = { body: Record<string, unknown>; key: string }

const inputs = {
  plan: text({ label: 'Plan' }),
  token: card({ label: 'Card', component: () => null }),
}
const values = { plan: 'startup', token: { number: '4242' } }

/** A server that answers from a list, and a payment provider with the given behaviour. */
function createSubmit(answers: unknown[], adapter: Partial<CardAdapter> = {}) {
  const sent: Sent[] = []
  const submit = createSender(async input => {
    sent.push(input)
    const data = answers[sent.length - 1]
    if (data instanceof Error) throw data
    return { data, message: undefined }
  })
  const provider: CardAdapter = {
    tokenize: async () => ({ id: 'pm_1' }),
    confirm: async () => ({ status: 'succeeded', id: 'pi_1' }),
    ...adapter,
  }
  return { sent, run: () => submit(values, inputs, {}, provider) }
}

test('[rule:form.card.token] exchanges the card for a token and sends it under the field’s name', async () => {
  const { sent, run } = createSubmit([{ plan: 'startup' }])
  await run()
  expect(sent.map(one => one.body)).toEqual([{ plan: 'startup', token: 'pm_1' }])
})

test('[rule:form.card.refused] does not send a card that the provider refuses', async () => {
  const { sent, run } = createSubmit([], {
    tokenize: async () => ({ error: 'The number is incomplete', code: 'incomplete' }),
  })
  await expect(run()).rejects.toEqual(new CardRefused('The number is incomplete', 'incomplete'))
  expect(sent).toEqual([])
})

test.each([
  ['payment', 'payment_intent'],
  ['setup', 'setup_intent'],
])(
  '[rule:form.card.action] confirms requires_payment_action (%s) and repeats the call with its %s',
  async (kind, field) => {
    const confirmCalls: unknown[] = []
    const { sent, run } = createSubmit(
      [{ requires_payment_action: true, client_secret: 'secret_1', kind }, { plan: 'startup' }],
      {
        confirm: async (...args) => {
          confirmCalls.push(args)
          return { status: 'succeeded', id: 'object_1' }
        },
      },
    )
    const answer = await run()
    expect(confirmCalls).toEqual([['secret_1', kind]])
    expect(sent[1]?.body).toEqual({ plan: 'startup', token: 'pm_1', [field]: 'object_1' })
    expect(sent[1]?.key).not.toBe(sent[0]?.key)
    expect(answer.data).toEqual({ plan: 'startup' })
  },
)

test('[error:card.confirmation] reports a payment that the bank refused and keeps the provider’s message', async () => {
  const { sent, run } = createSubmit(
    [
      { requires_payment_action: true, client_secret: 's', kind: 'payment' },
      new ApiError(422, 'Your bank did not authorize the payment'),
    ],
    { confirm: async () => ({ error: 'Your bank said no', refused: 'pi_1' }) },
  )
  await expect(run()).rejects.toEqual(new CardRefused('Your bank said no'))
  expect(sent[1]?.body).toMatchObject({ plan: 'startup', payment_intent: 'pi_1' })
  expect(sent[1]?.key).not.toBe(sent[0]?.key)
})

test('[error:card.confirmation] a payment that succeeded after all counts as success', async () => {
  const { run } = createSubmit(
    [{ requires_payment_action: true, client_secret: 's', kind: 'setup' }, { plan: 'startup' }],
    { confirm: async () => ({ error: 'Your bank said no', refused: 'seti_1' }) },
  )
  expect((await run()).data).toEqual({ plan: 'startup' })
})

test('[error:card.confirmation] a failed confirmation ends the submit with the provider’s message', async () => {
  const { sent, run } = createSubmit(
    [{ requires_payment_action: true, client_secret: 's', kind: 'payment' }],
    {
      confirm: async () => ({ error: 'Your bank said no' }),
    },
  )
  await expect(run()).rejects.toEqual(new CardRefused('Your bank said no'))
  expect(sent).toHaveLength(1)
})
