import type { Template } from '../content.ts'
import { greeting } from '../translate.ts'

export const ssoCertificate: Template<{ name: string; account_name: string; days: number; url: string }> = (
  data,
  translate,
) => {
  const { account_name, days } = data
  return {
    subject: translate('sso_certificate.subject', { count: days }),
    preheader: translate('sso_certificate.preheader', { account_name }),
    heading: translate('sso_certificate.heading'),
    greeting: greeting(translate, data.name),
    body: [
      translate('sso_certificate.body', { count: days, account_name }),
      translate('sso_certificate.next'),
    ],
    button: { label: translate('sso_certificate.button'), url: data.url },
    aside: translate('sso_certificate.aside'),
    footer: translate('sso_certificate.footer', { account_name }),
  }
}
