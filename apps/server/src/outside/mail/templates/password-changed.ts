import type { Template } from '../letter.ts'
import { greet, ours } from '../words.ts'

/** The password is another one now. Whoever did not do that gets their user back by a reset. */
export const passwordChanged: Template<{ name: string; url: string }> = (data, say, to) => ({
  subject: say('password_changed.subject'),
  preheader: say('password_changed.preheader'),
  heading: say('password_changed.subject'),
  greeting: greet(say, data.name),
  body: [say('password_changed.body', { email: ours(to) })],
  button: { label: say('password_changed.button'), url: data.url },
  expiry: null,
  aside: say('password_changed.aside'),
  footer: say('password_changed.footer'),
})
