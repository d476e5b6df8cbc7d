import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

/** Leads to a new password: asked for on the page for a forgotten one. */
export const resetLink: Template<{ name: string; url: string; minutes: number }> = (data, say, to) => ({
  subject: say('reset_link.subject'),
  preheader: say('reset_link.preheader', { count: data.minutes }),
  heading: say('reset_link.heading'),
  greeting: greet(say, data.name),
  body: [say('reset_link.body', { email: ours(to) })],
  button: { label: say('reset_link.button'), url: data.url },
  expiry: say('layout.link_minutes', { count: data.minutes }),
  aside: say('reset_link.aside'),
  footer: say('reset_link.footer'),
})
