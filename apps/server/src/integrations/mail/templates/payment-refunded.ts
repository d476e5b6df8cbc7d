import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

type Data = {
  name: string
  account_name: string
  /** Formatted in the language of the mail. */
  amount: string
  /** Link to the billing page. */
  url: string
}

/** A payment that arrived too late for its plan is refunded. */
export const paymentRefunded: Template<Data> = (data, translate) => {
  const { account_name } = data
  const amount = trustedText(data.amount)
  return {
    subject: translate('payment_refunded.subject', { amount }),
    preheader: translate('payment_refunded.preheader'),
    greeting: greeting(translate, data.name),
    body: [translate('payment_refunded.body', { account_name, amount }), translate('payment_refunded.next')],
    button: { label: translate('payment_refunded.button'), url: data.url },
    aside: translate('payment_refunded.aside'),
    footer: translate('payment_refunded.footer', { account_name }),
  }
}
