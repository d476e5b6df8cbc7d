import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

/** To the managers of the team. `role` is the label of the role in the language of the mail. */
export const ssoJoined: Template<{
  name: string
  person: string
  email: string
  account_name: string
  role: string
  url: string
}> = (data, translate) => {
  const { person, account_name } = data
  return {
    subject: translate('sso_joined.subject', { person, account_name }),
    preheader: translate('sso_joined.preheader', { role: trustedText(data.role) }),
    greeting: greeting(translate, data.name),
    body: [
      translate('sso_joined.body', {
        person,
        email: trustedText(data.email),
        account_name,
        role: trustedText(data.role),
      }),
      translate('sso_joined.again'),
    ],
    button: { label: translate('sso_joined.button'), url: data.url },
    aside: translate('sso_joined.aside'),
    footer: translate('sso_joined.footer', { account_name }),
  }
}
