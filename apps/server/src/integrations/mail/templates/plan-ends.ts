import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

type Data = {
  name: string
  account_name: string
  /** Name and last day of the plan, in the language of the mail. */
  plan: string
  day: string
  /** Amount of the last invoice so far; null when nothing more is billed. */
  last: string | null
  /** Whether usage until that day is billed. */
  usage: boolean
  /** Link to the billing page. */
  url: string
}

/** The free plan was chosen; the paid plan continues until its period ends. */
export const planEnds: Template<Data> = (data, translate) => {
  const { account_name } = data
  const plan = trustedText(data.plan)
  const day = trustedText(data.day)
  const bills = [
    ...(data.last ? [translate('plan_ends.last', { day, amount: trustedText(data.last) })] : []),
    ...(data.usage ? [translate('plan_ends.usage', { day })] : []),
  ]
  const costs = bills.length > 0 ? bills : [translate('plan_ends.nothing')]
  return {
    subject: translate('plan_ends.subject', { plan, day }),
    preheader: translate('plan_ends.preheader'),
    greeting: greeting(translate, data.name),
    body: [translate('plan_ends.body', { account_name, plan, day }), ...costs],
    button: { label: translate('plan_ends.button'), url: data.url },
    aside: translate('plan_ends.aside'),
    footer: translate('plan_ends.footer', { account_name }),
  }
}
