import type { Template } from '../content.ts'
import { greeting, ours } from '../translate.ts'

/** To the new address: it has to be proven. */
export const emailChange: Template<{ name: string; old: string; url: string; hours: number }> = (
  { name, old, url, hours },
  translate,
  to,
) => ({
  subject: translate('email_change.subject'),
  preheader: translate('email_change.preheader', { count: hours }),
  heading: translate('email_change.subject'),
  greeting: greeting(translate, name),
  body: [translate('email_change.body', { email: ours(to), old: ours(old) }), translate('email_change.next')],
  button: { label: translate('email_change.button'), url },
  expiry: translate('layout.link_hours', { count: hours }),
  aside: translate('email_change.aside'),
  footer: translate('email_change.footer'),
})

/** To a new address that has a user already: nothing happens. Whoever asked is not told. */
export const emailChangeTaken: Template<{ name: string; url: string }> = ({ name, url }, translate, to) => ({
  subject: translate('email_change_taken.subject'),
  preheader: translate('email_change_taken.preheader'),
  heading: translate('email_change_taken.subject'),
  greeting: greeting(translate, name),
  body: [translate('email_change_taken.body', { email: ours(to) }), translate('email_change_taken.next')],
  button: { label: translate('email_change_taken.button'), url },
  expiry: null,
  aside: translate('email_change_taken.aside'),
  footer: translate('email_change_taken.footer'),
})

/** To the old address, before anything has changed: whoever didn't ask for it undoes it. */
export const emailChangeNotice: Template<{ name: string; email: string; url: string; days: number }> = (
  { name, email, url, days },
  translate,
  to,
) => ({
  subject: translate('email_change_notice.subject'),
  preheader: translate('email_change_notice.preheader'),
  heading: translate('email_change_notice.subject'),
  greeting: greeting(translate, name),
  body: [
    translate('email_change_notice.body', { email: ours(email), old: ours(to) }),
    translate('email_change_notice.next', { old: ours(to) }),
  ],
  button: { label: translate('email_change_notice.button'), url },
  expiry: translate('layout.link_days', { count: days }),
  aside: translate('email_change_notice.aside'),
  footer: translate('email_change_notice.footer'),
})

/** To both: the new address has taken the old one's place. */
export const emailChanged: Template<{ name: string; email: string; url: string }> = (
  { name, email, url },
  translate,
) => ({
  subject: translate('email_changed.subject'),
  preheader: translate('email_changed.preheader'),
  heading: translate('email_changed.subject'),
  greeting: greeting(translate, name),
  body: [translate('email_changed.body', { email: ours(email) })],
  button: { label: translate('email_changed.button'), url },
  expiry: null,
  aside: translate('email_changed.aside'),
  footer: translate('email_changed.footer'),
})

type Restored = {
  name: string
  url: string
  /** Those that the undo has ended. A mail that was waiting from before there were any has none. */
  keys?: { name: string; account_name: string }[]
}
/** So many are named; of the rest the number. */
const mostKeys = 10

/** To the old address, which is back: the way to a new password. */
export const emailRestored: Template<Restored> = ({ name, url, keys = [] }, translate, to) => ({
  subject: translate('email_restored.subject'),
  preheader: translate('email_restored.preheader'),
  heading: translate('email_restored.subject'),
  greeting: greeting(translate, name),
  body: [
    translate('email_restored.body', { email: ours(to) }),
    ...keys
      .slice(0, mostKeys)
      .map(key => translate('email_restored.key', { key: key.name, account_name: key.account_name })),
    ...(keys.length > mostKeys ? [translate('api_key.more', { count: keys.length - mostKeys })] : []),
  ],
  button: { label: translate('email_restored.button'), url },
  expiry: null,
  aside: translate('email_restored.aside'),
  footer: translate('email_restored.footer'),
})
