import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

/** Signs in whoever clicks it: asked for on the sign-in page. */
export const magicLink: Template<{ name: string; url: string; minutes: number }> = (data, say, to) => ({
  subject: say('magic_link.subject'),
  preheader: say('magic_link.preheader', { count: data.minutes }),
  heading: say('magic_link.heading'),
  greeting: greet(say, data.name),
  body: [say('magic_link.body', { email: ours(to) })],
  button: { label: say('magic_link.button'), url: data.url },
  expiry: say('layout.link_minutes', { count: data.minutes }),
  aside: say('magic_link.aside'),
  footer: say('magic_link.footer'),
})
