import type { Template } from '../letter.ts'
import { greet, ours } from '../words.ts'

type Data = {
  name: string
  account_name: string
  /** The plan's name, and its last day, as the language of the mail writes them. */
  plan: string
  day: string
  /** The billing page. */
  url: string
}

/** Somebody chose the free plan: the one that is paid for stays until its period ends. */
export const planEnds: Template<Data> = (data, say) => {
  const { account_name } = data
  const plan = ours(data.plan)
  const day = ours(data.day)
  return {
    subject: say('plan_ends.subject', { plan, day }),
    preheader: say('plan_ends.preheader'),
    heading: say('plan_ends.subject', { plan, day }),
    greeting: greet(say, data.name),
    body: [say('plan_ends.body', { account_name, plan, day })],
    button: { label: say('plan_ends.button'), url: data.url },
    expiry: null,
    aside: say('plan_ends.aside'),
    footer: say('plan_ends.footer', { account_name }),
  }
}
