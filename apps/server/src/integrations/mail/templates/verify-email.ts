import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

export const verifyEmail: Template<{ name: string; url: string; hours: number }> = (data, say, to) => ({
  subject: say('verify_email.subject'),
  preheader: say('verify_email.preheader', { count: data.hours }),
  heading: say('verify_email.subject'),
  greeting: greet(say, data.name),
  body: [say('verify_email.body', { email: ours(to) })],
  button: { label: say('verify_email.button'), url: data.url },
  expiry: say('layout.link_hours', { count: data.hours }),
  aside: say('verify_email.aside'),
  footer: say('verify_email.footer'),
})
