import type { MailContent, Template } from '../content.ts'
import { greeting, ours, type TranslateMail } from '../translate.ts'

/** `provider` is its name as people know it, from the configuration; `url` is the profile. */
type Data = { name: string; provider: string; url: string }

export const identityConnected: Template<Data> = (data, translate, to) => {
  const provider = ours(data.provider)
  return {
    ...common(data, translate),
    subject: translate('identity_connected.subject', { provider }),
    preheader: translate('identity_connected.preheader'),
    heading: translate('identity_connected.subject', { provider }),
    body: [translate('identity_connected.body', { provider, email: ours(to) })],
    aside: translate('identity_connected.aside', { provider }),
  }
}

export const identityDisconnected: Template<Data> = (data, translate, to) => {
  const provider = ours(data.provider)
  return {
    ...common(data, translate),
    subject: translate('identity_disconnected.subject', { provider }),
    preheader: translate('identity_disconnected.preheader'),
    heading: translate('identity_disconnected.subject', { provider }),
    body: [translate('identity_disconnected.body', { provider, email: ours(to) })],
    aside: translate('identity_disconnected.aside', { provider }),
  }
}

const common = (
  { name, url }: Data,
  translate: TranslateMail,
): Pick<MailContent, 'greeting' | 'button' | 'expiry' | 'footer'> => ({
  greeting: greeting(translate, name),
  button: { label: translate('identity_changed.button'), url },
  expiry: null,
  footer: translate('identity_changed.footer'),
})
