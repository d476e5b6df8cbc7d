import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

type Data = {
  name: string
  account_name: string
  event: 'closed' | 'closed_by_owner' | 'left' | 'removed'
  /** Name of the person who closed the account or removed the member. */
  by: string
  /** It was the person's only account, so their user is deleted too. */
  gone: boolean
  /** Price of the usage charged at the end of the subscription; null without usage. */
  usage: string | null
  url: string
}

const texts = {
  closed: { subject: 'account_closed.closed_subject', body: 'account_closed.closed' },
  closed_by_owner: {
    subject: 'account_closed.closed_by_owner_subject',
    body: 'account_closed.closed_by_owner',
  },
  left: { subject: 'account_closed.left_subject', body: 'account_closed.left' },
  removed: { subject: 'account_closed.removed_subject', body: 'account_closed.removed' },
} as const

/** The account is closed, or the person has left it. */
export const accountClosed: Template<Data> = (
  { name, account_name, event, by, gone, usage, url },
  translate,
) => ({
  subject: translate(texts[event].subject, { account_name }),
  preheader: translate(gone ? 'account_closed.gone' : 'account_closed.stays'),
  greeting: greeting(translate, name),
  body: [
    event === 'closed' && usage
      ? translate('account_closed.closed_usage', { account_name, usage: trustedText(usage) })
      : translate(texts[event].body, { account_name, by }),
    translate(gone ? 'account_closed.gone' : 'account_closed.stays'),
  ],
  button: { label: translate('account_closed.button'), url },
  aside: translate('account_closed.aside'),
  footer: translate('account_closed.footer', { account_name }),
})
