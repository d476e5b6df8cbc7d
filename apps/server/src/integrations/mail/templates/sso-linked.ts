import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

export const ssoLinked: Template<{ name: string; account_name: string; url: string }> = (data, translate) => {
  const { account_name } = data
  return {
    subject: translate('sso_linked.subject', { account_name }),
    preheader: translate('sso_linked.preheader', { account_name }),
    heading: translate('sso_linked.heading'),
    greeting: greeting(translate, data.name),
    body: [translate('sso_linked.body', { account_name }), translate('sso_linked.next')],
    button: { label: translate('sso_linked.button'), url: data.url },
    aside: translate('sso_linked.aside', { account_name }),
    footer: translate('sso_linked.footer', { account_name }),
  }
}
