import type { Template } from '../content.ts'
import { greet, ours } from '../translate.ts'

/** To the new address: it has to be proven. */
export const emailChange: Template<{ name: string; old: string; url: string; hours: number }> = (
  { name, old, url, hours },
  say,
  to,
) => ({
  subject: say('email_change.subject'),
  preheader: say('email_change.preheader', { count: hours }),
  heading: say('email_change.subject'),
  greeting: greet(say, name),
  body: [say('email_change.body', { email: ours(to), old: ours(old) }), say('email_change.next')],
  button: { label: say('email_change.button'), url },
  expiry: say('layout.link_hours', { count: hours }),
  aside: say('email_change.aside'),
  footer: say('email_change.footer'),
})

/** To a new address that has a user already: nothing happens. Whoever asked is not told. */
export const emailChangeTaken: Template<{ name: string; url: string }> = ({ name, url }, say, to) => ({
  subject: say('email_change_taken.subject'),
  preheader: say('email_change_taken.preheader'),
  heading: say('email_change_taken.subject'),
  greeting: greet(say, name),
  body: [say('email_change_taken.body', { email: ours(to) }), say('email_change_taken.next')],
  button: { label: say('email_change_taken.button'), url },
  expiry: null,
  aside: say('email_change_taken.aside'),
  footer: say('email_change_taken.footer'),
})

/** To the old address, before anything has changed: whoever didn't ask for it undoes it. */
export const emailChangeNotice: Template<{ name: string; email: string; url: string; days: number }> = (
  { name, email, url, days },
  say,
  to,
) => ({
  subject: say('email_change_notice.subject'),
  preheader: say('email_change_notice.preheader'),
  heading: say('email_change_notice.subject'),
  greeting: greet(say, name),
  body: [
    say('email_change_notice.body', { email: ours(email), old: ours(to) }),
    say('email_change_notice.next', { old: ours(to) }),
  ],
  button: { label: say('email_change_notice.button'), url },
  expiry: say('layout.link_days', { count: days }),
  aside: say('email_change_notice.aside'),
  footer: say('email_change_notice.footer'),
})

/** To both: the new address has taken the old one's place. */
export const emailChanged: Template<{ name: string; email: string; url: string }> = (
  { name, email, url },
  say,
) => ({
  subject: say('email_changed.subject'),
  preheader: say('email_changed.preheader'),
  heading: say('email_changed.subject'),
  greeting: greet(say, name),
  body: [say('email_changed.body', { email: ours(email) })],
  button: { label: say('email_changed.button'), url },
  expiry: null,
  aside: say('email_changed.aside'),
  footer: say('email_changed.footer'),
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
export const emailRestored: Template<Restored> = ({ name, url, keys = [] }, say, to) => ({
  subject: say('email_restored.subject'),
  preheader: say('email_restored.preheader'),
  heading: say('email_restored.subject'),
  greeting: greet(say, name),
  body: [
    say('email_restored.body', { email: ours(to) }),
    ...keys
      .slice(0, mostKeys)
      .map(key => say('email_restored.key', { key: key.name, account_name: key.account_name })),
    ...(keys.length > mostKeys ? [say('api_key.more', { count: keys.length - mostKeys })] : []),
  ],
  button: { label: say('email_restored.button'), url },
  expiry: null,
  aside: say('email_restored.aside'),
  footer: say('email_restored.footer'),
})
