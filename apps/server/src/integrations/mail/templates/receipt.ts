import type { Template } from '../content.ts'
import { greeting, type TranslatedText, type TranslateMail, trustedText } from '../translate.ts'

/** Amounts, days and the card are formatted in the language of the mail; null when the invoice has none. */
type Data = {
  name: string
  account_name: string
  /** The invoice's number. */
  number: string
  amount: string
  day: string
  /** "Visa ending 4242"; null for other payment methods. */
  card: string | null
  /** Text of the payment provider, as on the invoice. */
  lines: { text: string; amount: string; period: string }[]
  /** Number of invoice lines left out here. */
  more: number
  discount: string | null
  tax: string | null
  credit: string | null
  /** Link to the account's invoices. */
  url: string
}

/** An invoice was paid. */
export const receipt: Template<Data> = (data, translate) => {
  const { account_name } = data
  const amount = trustedText(data.amount)
  return {
    subject: translate('receipt.subject', { amount }),
    preheader: translate('receipt.preheader', { account_name, number: trustedText(data.number) }),
    greeting: greeting(translate, data.name),
    body: [
      introWords(data, translate),
      ...lineWords(data, translate),
      translate('receipt.total', { amount }),
    ],
    button: { label: translate('receipt.button'), url: data.url },
    aside: translate('receipt.aside'),
    footer: translate('receipt.footer', { account_name }),
  }
}

function introWords(
  { account_name, number, amount, day, card }: Data,
  translate: TranslateMail,
): TranslatedText {
  const values = {
    account_name,
    number: trustedText(number),
    amount: trustedText(amount),
    day: trustedText(day),
  }
  return card
    ? translate('receipt.body_card', { ...values, card: trustedText(card) })
    : translate('receipt.body', values)
}

function lineWords({ lines, more, discount, tax, credit }: Data, translate: TranslateMail): TranslatedText[] {
  const texts = lines.map(({ text, amount, period }) =>
    translate('receipt.line', {
      text: trustedText(text),
      amount: trustedText(amount),
      period: trustedText(period),
    }),
  )
  if (more > 0) texts.push(translate('receipt.more', { count: more }))
  if (discount) texts.push(translate('receipt.discount', { amount: trustedText(discount) }))
  if (tax) texts.push(translate('receipt.tax', { amount: trustedText(tax) }))
  if (credit) texts.push(translate('receipt.credit', { amount: trustedText(credit) }))
  return texts
}
