import type { Template } from '../content.ts'
import { trustedText } from '../translate.ts'

/** `role` is the label of the role in the language of the mail. */
export const invite: Template<{
  inviter: string
  account_name: string
  role: string
  url: string
  days: number
}> = (data, translate) => {
  const { inviter, account_name } = data
  return {
    subject: translate('invite.subject', { inviter, account_name }),
    preheader: translate('invite.preheader', { count: data.days }),
    heading: translate('invite.heading', { account_name }),
    greeting: null,
    body: [
      translate('invite.body', { inviter, account_name }),
      translate('invite.role', { role: trustedText(data.role) }),
    ],
    button: { label: translate('invite.button'), url: data.url },
    expiry: translate('layout.link_days', { count: data.days }),
    aside: translate('invite.aside', { inviter }),
    footer: translate('invite.footer', { inviter }),
  }
}
