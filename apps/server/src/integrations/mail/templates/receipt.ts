import type { Template } from '../content.ts'
import { greeting, ours, type TranslatedText, type TranslateMail } from '../translate.ts'

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
export const receipt: Template<Data> = (data, translate) => {
  const { account_name } = data
  const amount = ours(data.amount)
  return {
    subject: translate('receipt.subject', { amount }),
    preheader: translate('receipt.preheader', { account_name, number: ours(data.number) }),
    heading: translate('receipt.subject', { amount }),
    greeting: greeting(translate, data.name),
    body: [
      introWords(data, translate),
      ...lineWords(data, translate),
      translate('receipt.total', { amount }),
    ],
    button: { label: translate('receipt.button'), url: data.url },
    expiry: null,
    aside: translate('receipt.aside'),
    footer: translate('receipt.footer', { account_name }),
  }
}

function introWords(
  { account_name, number, amount, day, card }: Data,
  translate: TranslateMail,
): TranslatedText {
  const values = { account_name, number: ours(number), amount: ours(amount), day: ours(day) }
  return card
    ? translate('receipt.body_card', { ...values, card: ours(card) })
    : translate('receipt.body', values)
}

function lineWords({ lines, more, discount, tax, credit }: Data, translate: TranslateMail): TranslatedText[] {
  const texts = lines.map(({ text, amount, period }) =>
    translate('receipt.line', { text: ours(text), amount: ours(amount), period: ours(period) }),
  )
  if (more > 0) texts.push(translate('receipt.more', { count: more }))
  if (discount) texts.push(translate('receipt.discount', { amount: ours(discount) }))
  if (tax) texts.push(translate('receipt.tax', { amount: ours(tax) }))
  if (credit) texts.push(translate('receipt.credit', { amount: ours(credit) }))
  return texts
}
