import type { Template } from '../content.ts'
import { cleanLines } from '../sanitize.ts'
import { trustedText } from '../translate.ts'

type Data = {
  name: string
  /** The user's address from the session, used as Reply-To. */
  email: string
  account_name: string
  account_id: string
  plan: string
  role: string
  /** The message as the user typed it. */
  message: string
  url: string
}

/** A user's message to support. The only mail with free text from a user; it is sent to support only. */
export const helpRequest: Template<Data> = (data, translate) => ({
  subject: translate('help_request.subject', { name: data.name }),
  preheader: translate('help_request.preheader', { account_name: data.account_name }),
  greeting: null,
  body: [
    ...cleanLines(data.message).map(line => [line]),
    translate('help_request.who', {
      name: data.name,
      email: trustedText(data.email),
      account_name: data.account_name,
      account_id: trustedText(data.account_id),
      plan: trustedText(data.plan),
      role: trustedText(data.role),
    }),
  ],
  button: { label: translate('help_request.button'), url: data.url },
  aside: translate('help_request.aside', { email: trustedText(data.email) }),
  footer: translate('help_request.footer'),
})
