import { freshCard } from './card.ts'
import { call, type Person, verified } from './people.ts'
import { sandbox } from './places.ts'

type Wish = { plan: 'startup' | 'startup_yearly' | 'scale'; card?: string; language?: string; first?: string }

/** Somebody through everything, on a plan that is paid with a card. */
export async function paying({ plan, card = freshCard(), ...wish }: Wish): Promise<Person> {
  const person = await verified({ ...wish, onboarded: true })
  const body = { plan, token: await tokenOf(card) }
  const chosen = await call<{ subscription?: string }>('POST', '/api/account/plan', {
    token: person.user.token,
    body,
  })
  const { subscription } = chosen.data ?? {}
  if (!subscription) throw new Error(`The plan was not taken: ${chosen.message}`)
  return { ...person, user: { ...person.user, plan, subscription } }
}

/** A card becomes a token as in the browser: at the payment provider. */
export async function tokenOf(number: string): Promise<string> {
  const response = await fetch(`${sandbox}/v1/payment_methods`, {
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
