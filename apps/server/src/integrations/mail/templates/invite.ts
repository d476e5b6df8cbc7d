import type { Template } from '../content.ts'
import { ours } from '../translate.ts'

/** `role` is the label of the role in the language of the mail. */
export const invite: Template<{
  inviter: string
  account_name: string
  role: string
  url: string
  days: number
}> = (data, say) => {
  const { inviter, account_name } = data
  return {
    subject: say('invite.subject', { inviter, account_name }),
    preheader: say('invite.preheader', { count: data.days }),
    heading: say('invite.heading', { account_name }),
    greeting: null,
    body: [say('invite.body', { inviter, account_name }), say('invite.role', { role: ours(data.role) })],
    button: { label: say('invite.button'), url: data.url },
    expiry: say('layout.link_days', { count: data.days }),
    aside: say('invite.aside', { inviter }),
    footer: say('invite.footer', { inviter }),
  }
}
