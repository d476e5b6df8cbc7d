import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

/** Sign-in link, requested on the sign-in page. */
export const magicLink: Template<{ name: string; url: string; minutes: number }> = (data, translate, to) => ({
  subject: translate('magic_link.subject'),
  preheader: translate('magic_link.preheader', { count: data.minutes }),
  heading: translate('magic_link.heading'),
  greeting: greeting(translate, data.name),
  body: [translate('magic_link.body', { email: trustedText(to) })],
  button: { label: translate('magic_link.button'), url: data.url },
  expiry: translate('layout.link_minutes', { count: data.minutes }),
  aside: translate('magic_link.aside'),
  footer: translate('magic_link.footer'),
})
