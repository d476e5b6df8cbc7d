import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

type Data = { name: string; url: string }

/** The password was changed or reset. The button starts a reset in case the user did not do this. */
export const passwordChanged: Template<Data> = (data, translate, to) => ({
  subject: translate('password_changed.subject'),
  preheader: translate('password_changed.preheader'),
  greeting: greeting(translate, data.name),
  body: [translate('password_changed.body', { email: trustedText(to) })],
  button: { label: translate('password_changed.button'), url: data.url },
  aside: translate('password_changed.aside'),
  footer: translate('password_changed.footer'),
})

/** A user without a password created one. */
export const passwordAdded: Template<Data> = (data, translate, to) => ({
  ...passwordChanged(data, translate, to),
  subject: translate('password_added.subject'),
  body: [translate('password_added.body', { email: trustedText(to) })],
  footer: translate('password_added.footer'),
})
