import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

export const verifyEmail: Template<{ name: string; url: string; hours: number }> = (data, translate, to) => ({
  subject: translate('verify_email.subject'),
  preheader: translate('verify_email.preheader', { count: data.hours }),
  greeting: greeting(translate, data.name),
  body: [translate('verify_email.body', { email: trustedText(to) })],
  button: { label: translate('verify_email.button'), url: data.url },
  expiry: translate('layout.link_hours', { count: data.hours }),
  aside: translate('verify_email.aside'),
  footer: translate('verify_email.footer'),
})
