import type { Template } from '../content.ts'
import { greeting, type TranslatedText, type TranslateMail, trustedText } from '../translate.ts'
import { type Cost, costWords } from './cost.ts'

type Data = {
  name: string
  account_name: string
  /** The plan's name in the language of the mail. */
  plan: string
  /** Link to the billing page, or to the payment provider when a payment must be confirmed. */
  url: string
}
/** Amounts, days and cards are formatted in the language of the mail; unknown values are null. */
type Trouble = Data & {
  happened: 'payment_failed' | 'payment_action' | 'subscription_ended'
  amount?: string | null
  /** The card that was charged, "Visa ending 4242". */
  card?: string | null
  /** Date of the next attempt. */
  next_attempt?: string | null
}
type Ending = Data &
  Cost & {
    /** The last day of the trial. */
    day: string
    /** The card that is charged after the trial. */
    card?: string | null
  }

const texts = {
  payment_failed: {
    subject: 'payment_trouble.failed_subject',
    button: 'payment_trouble.button',
  },
  payment_action: {
    subject: 'payment_trouble.action_subject',
    button: 'payment_trouble.action_button',
  },
  subscription_ended: {
    subject: 'payment_trouble.ended_subject',
    button: 'payment_trouble.button',
  },
} as const

/** A failed payment blocks the account or is about to. */
export const paymentTrouble: Template<Trouble> = (data, translate) => {
  const { account_name } = data
  const { subject, button } = texts[data.happened]
  const next = nextWords(data, translate)
  return {
    subject: translate(subject),
    preheader: next,
    greeting: greeting(translate, data.name),
    body: [troubleWords(data, translate), next],
    button: { label: translate(button), url: data.url },
    aside: translate('payment_trouble.aside'),
    footer: translate('payment_trouble.footer', { account_name }),
  }
}

function troubleWords(
  { happened, account_name, amount, card, ...data }: Trouble,
  translate: TranslateMail,
): TranslatedText {
  const values = { account_name, plan: trustedText(data.plan) }
  if (happened === 'subscription_ended') return translate('payment_trouble.ended', values)
  if (happened === 'payment_action')
    return amount
      ? translate('payment_trouble.action_amount', { ...values, amount: trustedText(amount) })
      : translate('payment_trouble.action', values)
  if (!amount) return translate('payment_trouble.failed', values)
  return card
    ? translate('payment_trouble.failed_card', {
        ...values,
        amount: trustedText(amount),
        card: trustedText(card),
      })
    : translate('payment_trouble.failed_amount', { ...values, amount: trustedText(amount) })
}

function nextWords({ happened, next_attempt }: Trouble, translate: TranslateMail): TranslatedText {
  if (happened === 'subscription_ended') return translate('payment_trouble.ended_next')
  if (happened === 'payment_action') return translate('payment_trouble.action_next')
  return next_attempt
    ? translate('payment_trouble.failed_again', { day: trustedText(next_attempt) })
    : translate('payment_trouble.failed_next')
}

/** A trial ends, and the plan is billed afterwards. */
export const trialEnds: Template<Ending> = ({ account_name, ...data }, translate) => {
  const [plan, day, cost] = [trustedText(data.plan), trustedText(data.day), costWords(data, translate)]
  return {
    subject: translate('trial_ends.subject', { day }),
    preheader: translate('trial_ends.preheader'),
    greeting: greeting(translate, data.name),
    body: [
      translate('trial_ends.body', { account_name, plan, day }),
      data.card
        ? translate('trial_ends.price_card', { cost, card: trustedText(data.card) })
        : translate('trial_ends.price', { cost }),
    ],
    button: { label: translate('trial_ends.button'), url: data.url },
    aside: translate('trial_ends.aside'),
    footer: translate('trial_ends.footer', { account_name }),
  }
}
