import type { Template } from '../content.ts'
import { greet } from '../translate.ts'

export const ssoCertificate: Template<{ name: string; account_name: string; days: number; url: string }> = (
  data,
  say,
) => {
  const { account_name, days } = data
  return {
    subject: say('sso_certificate.subject', { count: days }),
    preheader: say('sso_certificate.preheader', { account_name }),
    heading: say('sso_certificate.heading'),
    greeting: greet(say, data.name),
    body: [say('sso_certificate.body', { count: days, account_name }), say('sso_certificate.next')],
    button: { label: say('sso_certificate.button'), url: data.url },
    expiry: null,
    aside: say('sso_certificate.aside'),
    footer: say('sso_certificate.footer', { account_name }),
  }
}
