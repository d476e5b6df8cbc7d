import type { Template } from '../letter.ts'
import { greet, ours, type Say, type Words } from '../words.ts'

type Data = {
  name: string
  account_name: string
  /** The plan's name and the price ("$12.00") as the language of the mail writes them. */
  plan: string
  price: string
  /** Null for a plan that costs nothing. */
  period: 'month' | 'year' | null
  /** The billing page. */
  url: string
}

export const planChanged: Template<Data> = (data, say) => {
  const { account_name } = data
  const plan = ours(data.plan)
  return {
    subject: say('plan_changed.subject', { plan }),
    preheader: say('plan_changed.preheader'),
    heading: say('plan_changed.subject', { plan }),
    greeting: greet(say, data.name),
    body: [say('plan_changed.body', { account_name, plan }), cost(data, say)],
    button: { label: say('plan_changed.button'), url: data.url },
    expiry: null,
    aside: say('plan_changed.aside'),
    footer: say('plan_changed.footer', { account_name }),
  }
}

function cost({ price, period }: Data, say: Say): Words {
  if (period === null) return say('plan_changed.price_none')
  const values = { price: ours(price) }
  return period === 'month' ? say('plan_changed.price_month', values) : say('plan_changed.price_year', values)
}
