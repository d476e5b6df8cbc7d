import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'
import { type Cost, costWords } from './cost.ts'

type Data = Cost & {
  name: string
  account_name: string
  /** The plan's name in the language of the mail. */
  plan: string
  /** Billed seats before and now. */
  before: number
  count: number
  /** Link to the billing page. */
  url: string
}

/** Members joined or left, so the plan bills another number of seats. */
export const seatsChanged: Template<Data> = (data, translate) => {
  const { account_name, before, count } = data
  const plan = trustedText(data.plan)
  const subject = translate('seats_changed.subject', { plan, count })
  return {
    subject,
    preheader: translate('seats_changed.preheader'),
    greeting: greeting(translate, data.name),
    body: [
      translate('seats_changed.body', { account_name, before }),
      translate('seats_changed.price', { cost: costWords(data, translate) }),
      translate(count > before ? 'seats_changed.added' : 'seats_changed.removed'),
    ],
    button: { label: translate('seats_changed.button'), url: data.url },
    aside: translate('seats_changed.aside'),
    footer: translate('seats_changed.footer', { account_name }),
  }
}
