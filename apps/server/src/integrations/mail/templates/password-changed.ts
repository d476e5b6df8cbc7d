import type { Template } from '../content.ts'
import { greeting, ours } from '../translate.ts'

type Data = { name: string; url: string }

/** The password was changed or reset. The button starts a reset, for an owner who did not do that. */
export const passwordChanged: Template<Data> = (data, translate, to) => ({
  subject: translate('password_changed.subject'),
  preheader: translate('password_changed.preheader'),
  heading: translate('password_changed.subject'),
  greeting: greeting(translate, data.name),
  body: [translate('password_changed.body', { email: ours(to) })],
  button: { label: translate('password_changed.button'), url: data.url },
  expiry: null,
  aside: translate('password_changed.aside'),
  footer: translate('password_changed.footer'),
})

/** A user who signed in another way created a password. */
export const passwordAdded: Template<Data> = (data, translate, to) => ({
  ...passwordChanged(data, translate, to),
  subject: translate('password_added.subject'),
  heading: translate('password_added.subject'),
  body: [translate('password_added.body', { email: ours(to) })],
  footer: translate('password_added.footer'),
})
