import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

type Data = {
  name: string
  account_name: string
  /** "Visa ending 4242", in the language of the mail; null when it could not be read. */
  card?: string | null
  /** Link to the billing page. */
  url: string
}

/** The card for future payments has changed. */
export const cardChanged: Template<Data> = (data, translate) => {
  const { account_name, card } = data
  return {
    subject: translate('card_changed.subject'),
    preheader: translate('card_changed.preheader'),
    greeting: greeting(translate, data.name),
    body: [
      card
        ? translate('card_changed.body_card', { account_name, card: trustedText(card) })
        : translate('card_changed.body', { account_name }),
    ],
    button: { label: translate('card_changed.button'), url: data.url },
    aside: translate('card_changed.aside'),
    footer: translate('card_changed.footer', { account_name }),
  }
}
