import type { Template } from '../content.ts'
import { cleanLines } from '../sanitize.ts'
import { ours } from '../translate.ts'

type Data = {
  name: string
  /** The writer's own address, from the session; answers go there. */
  email: string
  account_name: string
  account_id: string
  plan: string
  role: string
  /** As it was typed. */
  message: string
  url: string
}

/** A user's message to support, the only mail whose words are somebody else's: it goes to ourselves alone. */
export const helpRequest: Template<Data> = (data, translate) => ({
  subject: translate('help_request.subject', { name: data.name }),
  preheader: translate('help_request.preheader', { account_name: data.account_name }),
  heading: translate('help_request.subject', { name: data.name }),
  greeting: null,
  body: [
    ...cleanLines(data.message).map(line => [line]),
    translate('help_request.who', {
      name: data.name,
      email: ours(data.email),
      account_name: data.account_name,
      account_id: ours(data.account_id),
      plan: ours(data.plan),
      role: ours(data.role),
    }),
  ],
  button: { label: translate('help_request.button'), url: data.url },
  expiry: null,
  aside: translate('help_request.aside', { email: ours(data.email) }),
  footer: translate('help_request.footer'),
})
