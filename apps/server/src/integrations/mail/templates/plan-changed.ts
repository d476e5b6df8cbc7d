import type { Template } from '../content.ts'
import { greeting, type TranslatedText, type TranslateMail, trustedText } from '../translate.ts'
import { type Cost, costWords } from './cost.ts'

type Data = Omit<Cost, 'period'> & {
  name: string
  account_name: string
  /** The plan's name in the language of the mail. */
  plan: string
  /** Null for a free plan. */
  period: Cost['period'] | null
  /** A planned end was cancelled. */
  continues?: boolean
  /** End of the trial, formatted in the language of the mail. */
  trial_until?: string | null
  /** Credit that the next payments use; null for none. */
  credit?: string | null
  /** Link to the billing page. */
  url: string
}

export const planChanged: Template<Data> = (data, translate) => {
  const { account_name } = data
  const plan = trustedText(data.plan)
  const subject = translate(data.continues ? 'plan_changed.continues' : 'plan_changed.subject', { plan })
  const body = data.continues ? 'plan_changed.continues_body' : 'plan_changed.body'
  return {
    subject,
    preheader: translate(data.continues ? 'plan_changed.continues_preheader' : 'plan_changed.preheader'),
    greeting: greeting(translate, data.name),
    body: [
      translate(body, { account_name, plan }),
      priceWords(data, translate),
      ...(data.credit ? [translate('plan_changed.credit', { credit: trustedText(data.credit) })] : []),
    ],
    button: { label: translate('plan_changed.button'), url: data.url },
    aside: translate('plan_changed.aside'),
    footer: translate('plan_changed.footer', { account_name }),
  }
}

function priceWords({ period, trial_until, ...data }: Data, translate: TranslateMail): TranslatedText {
  if (period === null) return translate('plan_changed.price_none')
  const cost = costWords({ ...data, period }, translate)
  return trial_until
    ? translate('plan_changed.price_trial', { cost, day: trustedText(trial_until) })
    : translate('plan_changed.price', { cost })
}
