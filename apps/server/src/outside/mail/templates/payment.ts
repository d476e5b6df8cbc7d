import type { Template } from '../letter.ts'
import { greet, ours } from '../words.ts'

type Data = {
  name: string
  account_name: string
  /** The plan's name in the language of the mail. */
  plan: string
  /** The billing page, or of a payment to confirm the provider's own. */
  url: string
}
type Trouble = Data & { happened: 'payment_failed' | 'payment_action' | 'subscription_ended' }
type Ending = Data & {
  /** The last day and what every period costs from then on, as the language of the mail writes them. */
  day: string
  price: string
  period: 'month' | 'year'
}

const words = {
  payment_failed: {
    subject: 'payment_trouble.failed_subject',
    body: 'payment_trouble.failed',
    next: 'payment_trouble.failed_next',
    button: 'payment_trouble.button',
  },
  payment_action: {
    subject: 'payment_trouble.action_subject',
    body: 'payment_trouble.action',
    next: 'payment_trouble.action_next',
    button: 'payment_trouble.action_button',
  },
  subscription_ended: {
    subject: 'payment_trouble.ended_subject',
    body: 'payment_trouble.ended',
    next: 'payment_trouble.ended_next',
    button: 'payment_trouble.button',
  },
} as const

/** An account is about to stop, or has stopped, because of a payment. */
export const paymentTrouble: Template<Trouble> = ({ happened, account_name, ...data }, say) => {
  const { subject, body, next, button } = words[happened]
  return {
    subject: say(subject),
    preheader: say(next),
    heading: say(subject),
    greeting: greet(say, data.name),
    body: [say(body, { account_name, plan: ours(data.plan) }), say(next)],
    button: { label: say(button), url: data.url },
    expiry: null,
    aside: say('payment_trouble.aside'),
    footer: say('payment_trouble.footer', { account_name }),
  }
}

/** A trial ends, and the plan costs something from then on. */
export const trialEnds: Template<Ending> = ({ account_name, ...data }, say) => {
  const [plan, day, price] = [ours(data.plan), ours(data.day), ours(data.price)]
  return {
    subject: say('trial_ends.subject', { day }),
    preheader: say('trial_ends.preheader'),
    heading: say('trial_ends.subject', { day }),
    greeting: greet(say, data.name),
    body: [
      say('trial_ends.body', { account_name, plan, day }),
      data.period === 'month'
        ? say('trial_ends.price_month', { price })
        : say('trial_ends.price_year', { price }),
    ],
    button: { label: say('trial_ends.button'), url: data.url },
    expiry: null,
    aside: say('trial_ends.aside'),
    footer: say('trial_ends.footer', { account_name }),
  }
}
