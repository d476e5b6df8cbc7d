import { newCardNumber } from '../payments/card.ts'
import { callApi, type Person, createVerifiedPerson } from './people.ts'
import { sandboxUrl } from '../urls.ts'

type SubscriberOptions = { plan: 'startup' | 'startup_yearly' | 'scale'; card?: string; language?: string; first?: string }

/** Somebody through everything, on a plan that is paid with a card. */
export async function createSubscriber({ plan, card = newCardNumber(), ...wish }: SubscriberOptions): Promise<Person> {
  const person = await createVerifiedPerson({ ...wish, onboarded: true })
  const body = { plan, token: await createCardToken(card) }
  const chosen = await callApi<{ subscription?: string }>('POST', '/api/account/plan', {
    token: person.user.token,
    body,
  })
  const { subscription } = chosen.data ?? {}
  if (!subscription) throw new Error(`The plan was not taken: ${chosen.message}`)
  return { ...person, user: { ...person.user, plan, subscription } }
}

/** A card becomes a token as in the browser: at the payment provider. */
export async function createCardToken(number: string): Promise<string> {
  const response = await fetch(`${sandboxUrl}/v1/payment_methods`, {
    method: 'POST',
    headers: { authorization: 'Bearer pk_test_sandbox' },
    body: new URLSearchParams({
      type: 'card',
      'card[number]': number,
      'card[exp_month]': '12',
      'card[exp_year]': '2034',
      'card[cvc]': '123',
    }),
  })
  const { id } = (await response.json()) as { id: string } // as: the sandbox answers the card that it has kept
  return id
}
