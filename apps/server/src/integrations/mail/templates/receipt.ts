import type { Template } from '../content.ts'
import { greet, ours, type Say, type Words } from '../translate.ts'

/** Amounts, days and the card are written in the language of the mail; null for what the invoice does not have. */
type Data = {
  name: string
  account_name: string
  /** The invoice's number. */
  number: string
  amount: string
  day: string
  /** "Visa ending 4242"; null when it was paid in another way. */
  card: string | null
  /** In the payment provider's words, as on the invoice. */
  lines: { text: string; amount: string; period: string }[]
  /** How many lines only the invoice shows. */
  more: number
  discount: string | null
  tax: string | null
  credit: string | null
  /** The account's invoices. */
  url: string
}

/** An invoice was paid. */
export const receipt: Template<Data> = (data, say) => {
  const { account_name } = data
  const amount = ours(data.amount)
  return {
    subject: say('receipt.subject', { amount }),
    preheader: say('receipt.preheader', { account_name, number: ours(data.number) }),
    heading: say('receipt.subject', { amount }),
    greeting: greet(say, data.name),
    body: [introWords(data, say), ...lineWords(data, say), say('receipt.total', { amount })],
    button: { label: say('receipt.button'), url: data.url },
    expiry: null,
    aside: say('receipt.aside'),
    footer: say('receipt.footer', { account_name }),
  }
}

function introWords({ account_name, number, amount, day, card }: Data, say: Say): Words {
  const values = { account_name, number: ours(number), amount: ours(amount), day: ours(day) }
  return card ? say('receipt.body_card', { ...values, card: ours(card) }) : say('receipt.body', values)
}

function lineWords({ lines, more, discount, tax, credit }: Data, say: Say): Words[] {
  const words = lines.map(({ text, amount, period }) =>
    say('receipt.line', { text: ours(text), amount: ours(amount), period: ours(period) }),
  )
  if (more > 0) words.push(say('receipt.more', { count: more }))
  if (discount) words.push(say('receipt.discount', { amount: ours(discount) }))
  if (tax) words.push(say('receipt.tax', { amount: ours(tax) }))
  if (credit) words.push(say('receipt.credit', { amount: ours(credit) }))
  return words
}
