import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

/** To those who manage the team. `role` is the label of the role in the language of the mail. */
export const ssoJoined: Template<{
  name: string
  person: string
  email: string
  account_name: string
  role: string
  url: string
}> = (data, say) => {
  const { person, account_name } = data
  return {
    subject: say('sso_joined.subject', { person, account_name }),
    preheader: say('sso_joined.preheader', { role: ours(data.role) }),
    heading: say('sso_joined.subject', { person, account_name }),
    greeting: greet(say, data.name),
    body: [
      say('sso_joined.body', { person, email: ours(data.email), account_name, role: ours(data.role) }),
      say('sso_joined.again'),
    ],
    button: { label: say('sso_joined.button'), url: data.url },
    expiry: null,
    aside: say('sso_joined.aside'),
    footer: say('sso_joined.footer', { account_name }),
  }
}
