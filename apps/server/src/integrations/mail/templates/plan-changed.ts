import type { Template } from '../content.ts'
import { greet, ours, type Say, type Words } from '../translate.ts'
import { type Cost, costWords } from './cost.ts'

type Data = Omit<Cost, 'period'> & {
  name: string
  account_name: string
  /** The plan's name in the language of the mail. */
  plan: string
  /** Null for a plan that costs nothing. */
  period: Cost['period'] | null
  /** The plan was to end and now stays. */
  continues?: boolean
  /** When a trial ends, as the language of the mail writes it. */
  trial_until?: string | null
  /** The billing page. */
  url: string
}

export const planChanged: Template<Data> = (data, say) => {
  const { account_name } = data
  const plan = ours(data.plan)
  const subject = say(data.continues ? 'plan_changed.continues' : 'plan_changed.subject', { plan })
  const body = data.continues ? 'plan_changed.continues_body' : 'plan_changed.body'
  return {
    subject,
    preheader: say(data.continues ? 'plan_changed.continues_preheader' : 'plan_changed.preheader'),
    heading: subject,
    greeting: greet(say, data.name),
    body: [say(body, { account_name, plan }), priceWords(data, say)],
    button: { label: say('plan_changed.button'), url: data.url },
    expiry: null,
    aside: say('plan_changed.aside'),
    footer: say('plan_changed.footer', { account_name }),
  }
}

function priceWords({ period, trial_until, ...data }: Data, say: Say): Words {
  if (period === null) return say('plan_changed.price_none')
  const cost = costWords({ ...data, period }, say)
  return trial_until
    ? say('plan_changed.price_trial', { cost, day: ours(trial_until) })
    : say('plan_changed.price', { cost })
}
