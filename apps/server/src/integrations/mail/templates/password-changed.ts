import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

type Data = { name: string; url: string }

/** The password was changed or reset. The button starts a reset, for an owner who did not do that. */
export const passwordChanged: Template<Data> = (data, say, to) => ({
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

/** A user who signed in another way created a password. */
export const passwordAdded: Template<Data> = (data, say, to) => ({
  ...passwordChanged(data, say, to),
  subject: say('password_added.subject'),
  heading: say('password_added.subject'),
  body: [say('password_added.body', { email: ours(to) })],
  footer: say('password_added.footer'),
})
