import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

type Data = {
  name: string
  account_name: string
  /** "Visa ending 4242", in the language of the mail; null when it could not be read. */
  card?: string | null
  /** The billing page. */
  url: string
}

/** Another card is charged from now on. */
export const cardChanged: Template<Data> = (data, say) => {
  const { account_name, card } = data
  return {
    subject: say('card_changed.subject'),
    preheader: say('card_changed.preheader'),
    heading: say('card_changed.subject'),
    greeting: greet(say, data.name),
    body: [
      card
        ? say('card_changed.body_card', { account_name, card: ours(card) })
        : say('card_changed.body', { account_name }),
    ],
    button: { label: say('card_changed.button'), url: data.url },
    expiry: null,
    aside: say('card_changed.aside'),
    footer: say('card_changed.footer', { account_name }),
  }
}
