import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

type Data = {
  name: string
  account_name: string
  /** As the language of the mail writes it. */
  amount: string
  /** The billing page. */
  url: string
}

/** A payment that came through too late to bring a plan goes back. */
export const paymentRefunded: Template<Data> = (data, say) => {
  const { account_name } = data
  const amount = ours(data.amount)
  return {
    subject: say('payment_refunded.subject', { amount }),
    preheader: say('payment_refunded.preheader'),
    heading: say('payment_refunded.subject', { amount }),
    greeting: greet(say, data.name),
    body: [say('payment_refunded.body', { account_name, amount }), say('payment_refunded.next')],
    button: { label: say('payment_refunded.button'), url: data.url },
    expiry: null,
    aside: say('payment_refunded.aside'),
    footer: say('payment_refunded.footer', { account_name }),
  }
}
