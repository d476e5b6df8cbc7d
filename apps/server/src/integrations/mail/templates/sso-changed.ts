import type { Template } from '../content.ts'
import { greeting, type MailKey } from '../translate.ts'

/** A sentence for each kind of change. */
const sentences = {
  domain_proven: 'sso_changed.domain_proven',
  domain_removed: 'sso_changed.domain_removed',
  connected: 'sso_changed.connected',
  renewed: 'sso_changed.renewed',
  disconnected: 'sso_changed.disconnected',
  enabled: 'sso_changed.enabled',
  disabled: 'sso_changed.disabled',
  enforced: 'sso_changed.enforced',
  not_enforced: 'sso_changed.not_enforced',
  break_glass: 'sso_changed.break_glass',
  default_role: 'sso_changed.default_role',
} as const satisfies Record<string, MailKey>

export const ssoChanged: Template<{
  name: string
  account_name: string
  /** Name of the person who made the change. */
  by: string
  change: keyof typeof sentences
  /** The affected domain, provider or role; empty when there is none. */
  detail: string
  url: string
}> = (data, translate) => {
  const { account_name, by, detail } = data
  return {
    subject: translate('sso_changed.subject', { account_name }),
    preheader: translate('sso_changed.preheader', { by }),
    heading: translate('sso_changed.heading'),
    greeting: greeting(translate, data.name),
    body: [
      translate('sso_changed.body', { by, account_name }),
      translate(sentences[data.change], { detail }),
    ],
    button: { label: translate('sso_changed.button'), url: data.url },
    aside: translate('sso_changed.aside'),
    footer: translate('sso_changed.footer', { account_name }),
  }
}
