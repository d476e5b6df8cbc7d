import type { Template } from '../content.ts'
import { greeting, trustedText } from '../translate.ts'

/** To the new address: asks to confirm it. */
export const emailChange: Template<{ name: string; old: string; url: string; hours: number }> = (
  { name, old, url, hours },
  translate,
  to,
) => ({
  subject: translate('email_change.subject'),
  preheader: translate('email_change.preheader', { count: hours }),
  greeting: greeting(translate, name),
  body: [
    translate('email_change.body', { email: trustedText(to), old: trustedText(old) }),
    translate('email_change.next'),
  ],
  button: { label: translate('email_change.button'), url },
  expiry: translate('layout.link_hours', { count: hours }),
  aside: translate('email_change.aside'),
  footer: translate('email_change.footer'),
})

/** To a new address that already has a user: nothing changes, and the requester does not learn that it exists. */
export const emailChangeTaken: Template<{ name: string; url: string }> = ({ name, url }, translate, to) => ({
  subject: translate('email_change_taken.subject'),
  preheader: translate('email_change_taken.preheader'),
  greeting: greeting(translate, name),
  body: [
    translate('email_change_taken.body', { email: trustedText(to) }),
    translate('email_change_taken.next'),
  ],
  button: { label: translate('email_change_taken.button'), url },
  aside: translate('email_change_taken.aside'),
  footer: translate('email_change_taken.footer'),
})

/** To the old address, before the change: its owner can undo it. */
export const emailChangeNotice: Template<{ name: string; email: string; url: string; days: number }> = (
  { name, email, url, days },
  translate,
  to,
) => ({
  subject: translate('email_change_notice.subject'),
  preheader: translate('email_change_notice.preheader'),
  greeting: greeting(translate, name),
  body: [
    translate('email_change_notice.body', { email: trustedText(email), old: trustedText(to) }),
    translate('email_change_notice.next', { old: trustedText(to) }),
  ],
  button: { label: translate('email_change_notice.button'), url },
  expiry: translate('layout.link_days', { count: days }),
  aside: translate('email_change_notice.aside'),
  footer: translate('email_change_notice.footer'),
})

/** To both addresses: the new address has replaced the old one. */
export const emailChanged: Template<{ name: string; email: string; url: string }> = (
  { name, email, url },
  translate,
) => ({
  subject: translate('email_changed.subject'),
  preheader: translate('email_changed.preheader'),
  greeting: greeting(translate, name),
  body: [translate('email_changed.body', { email: trustedText(email) })],
  button: { label: translate('email_changed.button'), url },
  aside: translate('email_changed.aside'),
  footer: translate('email_changed.footer'),
})

type Restored = {
  name: string
  url: string
  /** API keys that the undo has revoked; missing in mails queued by an earlier release. */
  keys?: { name: string; account_name: string }[]
}
/** Names at most this many keys; the rest is a count. */
const mostKeys = 10

/** To the restored old address: links to a password reset. */
export const emailRestored: Template<Restored> = ({ name, url, keys = [] }, translate, to) => ({
  subject: translate('email_restored.subject'),
  preheader: translate('email_restored.preheader'),
  greeting: greeting(translate, name),
  body: [
    translate('email_restored.body', { email: trustedText(to) }),
    ...keys
      .slice(0, mostKeys)
      .map(key => translate('email_restored.key', { key: key.name, account_name: key.account_name })),
    ...(keys.length > mostKeys ? [translate('api_key.more', { count: keys.length - mostKeys })] : []),
  ],
  button: { label: translate('email_restored.button'), url },
  aside: translate('email_restored.aside'),
  footer: translate('email_restored.footer'),
})
