import { customersOf, list } from './card.ts'
import { tokenOf } from './paying.ts'
import { call, type Person } from './people.ts'
import { sandbox } from './places.ts'

type Clock = { id: string; frozen_time: number }

/** Writes at the payment provider, as the server or as time does. */
async function tell<T>(method: string, path: string, form: Record<string, string> = {}): Promise<T> {
  const response = await fetch(sandbox + path, {
    method,
    headers: { authorization: 'Bearer sk_test_sandbox' },
    body: new URLSearchParams(form),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return (await response.json()) as T // as: each caller names what this path answers
}

/**
 * Gives a person who pays a clock of their own, so that nobody else's time passes.
 * @returns lets so many days pass for them; renewals, trials and reminders fall due as they would
 */
export async function ownClock(person: Person): Promise<(days: number) => Promise<void>> {
  const [customer = ''] = await customersOf(person)
  const now = String(Math.floor(Date.now() / 1000))
  const { id, frozen_time } = await tell<Clock>('POST', '/v1/test_helpers/test_clocks', {
    customer,
    frozen_time: now,
  })
  let time = frozen_time
  return async days => {
    time += days * 86_400
    await tell('POST', `/v1/test_helpers/test_clocks/${id}/advance`, { frozen_time: String(time) })
  }
}

/** Ends what a person pays for, as somebody at the provider's own desk would. */
export async function endAtProvider(person: Person): Promise<void> {
  const [customer = ''] = await customersOf(person)
  for (const { id } of await list(`/v1/subscriptions?customer=${customer}`))
    await tell('DELETE', `/v1/subscriptions/${id}`)
}

/** Another card in place of the one that pays. The bank, when it asks, is told yes. */
export async function putCard({ user }: Person, number: string): Promise<void> {
  const put = (body: Record<string, string>) =>
    call<{ client_secret?: string }>('PATCH', '/api/account/card', { token: user.token, body })
  const card = await tokenOf(number)
  const { data, message } = await put({ token: card })
  if (!data) throw new Error(`The card was not taken: ${message}`)
  if (!data.client_secret) return
  const intent = data.client_secret.split('_secret')[0] ?? ''
  await tell('POST', `/sandbox/3ds/${intent}`, { client_secret: data.client_secret, outcome: 'complete' })
  await put({ token: card, setup_intent: intent })
}
