import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

/** Password reset link, requested on the page for a forgotten password. */
export const resetLink: Template<{ name: string; url: string; minutes: number }> = (data, translate, to) => ({
  subject: translate('reset_link.subject'),
  preheader: translate('reset_link.preheader', { count: data.minutes }),
  heading: translate('reset_link.heading'),
  greeting: greeting(translate, data.name),
  body: [translate('reset_link.body', { email: trustedText(to) })],
  button: { label: translate('reset_link.button'), url: data.url },
  expiry: translate('layout.link_minutes', { count: data.minutes }),
  aside: translate('reset_link.aside'),
  footer: translate('reset_link.footer'),
})
