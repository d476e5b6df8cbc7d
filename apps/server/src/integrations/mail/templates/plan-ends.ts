import type { Template } from '../content.ts'
import { greeting, ours } from '../translate.ts'

type Data = {
  name: string
  account_name: string
  /** The plan's name, and its last day, as the language of the mail writes them. */
  plan: string
  day: string
  /** What the last invoice comes to so far; null where nothing more is billed yet. */
  last: string | null
  /** Whether usage until that day is billed. */
  usage: boolean
  /** The billing page. */
  url: string
}

/** Somebody chose the free plan: the one that is paid for stays until its period ends. */
export const planEnds: Template<Data> = (data, translate) => {
  const { account_name } = data
  const plan = ours(data.plan)
  const day = ours(data.day)
  const bills = [
    ...(data.last ? [translate('plan_ends.last', { day, amount: ours(data.last) })] : []),
    ...(data.usage ? [translate('plan_ends.usage', { day })] : []),
  ]
  const costs = bills.length > 0 ? bills : [translate('plan_ends.nothing')]
  return {
    subject: translate('plan_ends.subject', { plan, day }),
    preheader: translate('plan_ends.preheader'),
    heading: translate('plan_ends.subject', { plan, day }),
    greeting: greeting(translate, data.name),
    body: [translate('plan_ends.body', { account_name, plan, day }), ...costs],
    button: { label: translate('plan_ends.button'), url: data.url },
    expiry: null,
    aside: translate('plan_ends.aside'),
    footer: translate('plan_ends.footer', { account_name }),
  }
}
