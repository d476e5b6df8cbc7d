import type { Template } from '../content.ts'
import { greet } from '../translate.ts'

export const ssoLinked: Template<{ name: string; account_name: string; url: string }> = (data, say) => {
  const { account_name } = data
  return {
    subject: say('sso_linked.subject', { account_name }),
    preheader: say('sso_linked.preheader', { account_name }),
    heading: say('sso_linked.heading'),
    greeting: greet(say, data.name),
    body: [say('sso_linked.body', { account_name }), say('sso_linked.next')],
    button: { label: say('sso_linked.button'), url: data.url },
    expiry: null,
    aside: say('sso_linked.aside', { account_name }),
    footer: say('sso_linked.footer', { account_name }),
  }
}
