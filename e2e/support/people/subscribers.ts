import { callApi } from '../api.ts'
import { createCardToken, newCardNumber } from '../payments/cards.ts'
import { writeToProvider } from '../payments/payment-provider.ts'
import { createVerifiedPerson, type Person } from './people.ts'

type SubscriberOptions = {
  plan: 'startup' | 'startup_yearly' | 'scale'
  card?: string
  language?: string
  first?: string
}

/** Creates an onboarded person on a plan paid by card. */
export async function createSubscriber({
  plan,
  card = newCardNumber(),
  ...options
}: SubscriberOptions): Promise<Person> {
  const person = await createVerifiedPerson({ ...options, onboarded: true })
  const body = { plan, token: await createCardToken(card) }
  const chosen = await callApi<{ subscription?: string }>('POST', '/api/account/plan', {
    token: person.user.token,
    body,
  })
  const { subscription } = chosen.data ?? {}
  if (!subscription) throw new Error(`The plan was not accepted: ${chosen.message}`)
  return { ...person, user: { ...person.user, plan, subscription } }
}

/** Replaces the card on file; confirms 3-D Secure when the bank asks for it. */
export async function changeCard({ user }: Person, number: string): Promise<void> {
  const put = (body: Record<string, string>) =>
    callApi<{ client_secret?: string }>('PATCH', '/api/account/card', { token: user.token, body })
  const card = await createCardToken(number)
  const { data, message } = await put({ token: card })
  if (!data) throw new Error(`The card was not accepted: ${message}`)
  if (!data.client_secret) return
  const intent = data.client_secret.split('_secret')[0] ?? ''
  await writeToProvider('POST', `/sandbox/3ds/${intent}`, {
    client_secret: data.client_secret,
    outcome: 'complete',
  })
  await put({ token: card, setup_intent: intent })
}
