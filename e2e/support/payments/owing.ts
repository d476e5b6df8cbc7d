import { listCustomers, listFromProvider } from './card.ts'
import { createCardToken } from '../people/subscribers.ts'
import { callApi, type Person } from '../people/people.ts'
import { sandboxUrl } from '../urls.ts'

type TestClock = { id: string; frozen_time: number }

/** Writes at the payment provider, as the server or as time does. */
async function writeToProvider<T>(method: string, path: string, form: Record<string, string> = {}): Promise<T> {
  const response = await fetch(sandboxUrl + path, {
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
export async function createTestClock(person: Person): Promise<(days: number) => Promise<void>> {
  const [customer = ''] = await listCustomers(person)
  const now = String(Math.floor(Date.now() / 1000))
  const { id, frozen_time } = await writeToProvider<TestClock>('POST', '/v1/test_helpers/test_clocks', {
    customer,
    frozen_time: now,
  })
  let time = frozen_time
  return async days => {
    time += days * 86_400
    await writeToProvider('POST', `/v1/test_helpers/test_clocks/${id}/advance`, { frozen_time: String(time) })
  }
}

/** Ends what a person pays for, as somebody at the provider's own desk would. */
export async function cancelAtProvider(person: Person): Promise<void> {
  const [customer = ''] = await listCustomers(person)
  for (const { id } of await listFromProvider(`/v1/subscriptions?customer=${customer}`))
    await writeToProvider('DELETE', `/v1/subscriptions/${id}`)
}

/** Another card in place of the one that pays. The bank, when it asks, is told yes. */
export async function changeCard({ user }: Person, number: string): Promise<void> {
  const put = (body: Record<string, string>) =>
    callApi<{ client_secret?: string }>('PATCH', '/api/account/card', { token: user.token, body })
  const card = await createCardToken(number)
  const { data, message } = await put({ token: card })
  if (!data) throw new Error(`The card was not taken: ${message}`)
  if (!data.client_secret) return
  const intent = data.client_secret.split('_secret')[0] ?? ''
  await writeToProvider('POST', `/sandbox/3ds/${intent}`, { client_secret: data.client_secret, outcome: 'complete' })
  await put({ token: card, setup_intent: intent })
}
