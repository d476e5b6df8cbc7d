import type { Answer } from '../api/client.ts'
import { ApiError, CardRefused, NoAnswer } from '../api/error.ts'
import type { CardAdapter } from './card-adapter.ts'
import type { Input } from './types.ts'

type Body = Record<string, unknown>
type Send = (input: { body: Body; key: string }) => Promise<Answer<unknown>>

/** The last request with an unknown outcome. A retry with the same values sends the same body and key. */
type Unsettled = { values: string; body: Body; key: string }

/**
 * Creates the submit function of a form. It reuses the idempotency key and the card's token while the outcome
 * of a request with the same values is unknown.
 */
export function createSender(send: Send) {
  let unsettled: Unsettled | null = null

  return async function submit(
    values: Body,
    inputs: Record<string, Input>,
    extra: Body,
    adapter: CardAdapter | null,
  ) {
    const serialized = JSON.stringify(values, describeFiles)
    const previous = unsettled?.values === serialized ? unsettled : null
    const body = previous?.body ?? (await bodyOf(values, inputs, extra, adapter))
    const key = previous?.key ?? crypto.randomUUID()
    unsettled = { values: serialized, body, key }
    try {
      const answer = await sendAndConfirm(send, body, key, adapter)
      unsettled = null
      return answer
    } catch (error) {
      if (!isUnknown(error)) unsettled = null
      throw error
    }
  }
}

/** JSON.stringify writes every File as `{}`, so compare name, size and date. */
const describeFiles = (_name: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

/** Whether the call may have been carried out although it failed. */
function isUnknown(error: unknown): boolean {
  if (error instanceof NoAnswer) return true
  return (
    error instanceof ApiError &&
    (error.status === 502 || error.status === 504 || error.code === 'operation_in_flight')
  )
}

async function bodyOf(values: Body, inputs: Record<string, Input>, extra: Body, adapter: CardAdapter | null) {
  const body: Body = {}
  for (const [name, input] of Object.entries(inputs)) {
    const value = input.card ? await tokenOf(values[name], adapter) : values[name]
    const sent = input.send ? input.send(value) : value
    if (sent !== undefined) body[name] = sent
  }
  return { ...body, ...extra }
}

async function tokenOf(value: unknown, adapter: CardAdapter | null): Promise<string | undefined> {
  if (value === null || value === undefined) return undefined
  if (!adapter) throw new Error('The card field has not provided its adapter')
  const result = await adapter.tokenize()
  if ('error' in result) throw new CardRefused(result.error, result.code)
  return result.id
}

async function sendAndConfirm(
  send: Send,
  body: Body,
  key: string,
  adapter: CardAdapter | null,
): Promise<Answer<unknown>> {
  const answer = await send({ body, key })
  const due = actionDue(answer.data)
  if (!due || !adapter) return answer
  const result = await adapter.confirm(due.client_secret, due.kind)
  const repeat = (id: string) => ({ ...body, [`${due.kind}_intent`]: id })
  if ('error' in result) {
    const lateSuccess = result.refused && (await reportRefusal(send, repeat(result.refused)))
    if (lateSuccess) return lateSuccess
    throw new CardRefused(result.error, result.code)
  }
  // The server refuses another body under the same key, so the repeat needs a new key.
  return sendAndConfirm(send, repeat(result.id), crypto.randomUUID(), adapter)
}

/**
 * Reports a payment that the bank refused, so that the server can cancel the attempt. Returns the answer only
 * if the payment succeeded after all.
 */
async function reportRefusal(send: Send, body: Body): Promise<Answer<unknown> | null> {
  const answer = await send({ body, key: crypto.randomUUID() }).catch(() => null)
  return answer && !actionDue(answer.data) ? answer : null
}

function actionDue(data: unknown): { client_secret: string; kind: 'payment' | 'setup' } | null {
  if (typeof data !== 'object' || data === null) return null
  const { requires_payment_action, client_secret, kind } = data as Body // as: each field is checked below
  if (requires_payment_action !== true || typeof client_secret !== 'string') return null
  return { client_secret, kind: kind === 'setup' ? 'setup' : 'payment' }
}
