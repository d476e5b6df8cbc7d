import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

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
export const planEnds: Template<Data> = (data, say) => {
  const { account_name } = data
  const plan = ours(data.plan)
  const day = ours(data.day)
  const bills = [
    ...(data.last ? [say('plan_ends.last', { day, amount: ours(data.last) })] : []),
    ...(data.usage ? [say('plan_ends.usage', { day })] : []),
  ]
  const costs = bills.length > 0 ? bills : [say('plan_ends.nothing')]
  return {
    subject: say('plan_ends.subject', { plan, day }),
    preheader: say('plan_ends.preheader'),
    heading: say('plan_ends.subject', { plan, day }),
    greeting: greet(say, data.name),
    body: [say('plan_ends.body', { account_name, plan, day }), ...costs],
    button: { label: say('plan_ends.button'), url: data.url },
    expiry: null,
    aside: say('plan_ends.aside'),
    footer: say('plan_ends.footer', { account_name }),
  }
}
