import type { MailContent, Template } from '../content.ts'
import { greeting, type TranslateMail, trustedText } from '../translate.ts'

/** `provider` is the display name from the configuration; `url` links to the profile. */
type Data = { name: string; provider: string; url: string }

export const identityConnected: Template<Data> = (data, translate, to) => {
  const provider = trustedText(data.provider)
  return {
    ...common(data, translate),
    subject: translate('identity_connected.subject', { provider }),
    preheader: translate('identity_connected.preheader'),
    body: [translate('identity_connected.body', { provider, email: trustedText(to) })],
    aside: translate('identity_connected.aside', { provider }),
  }
}

export const identityDisconnected: Template<Data> = (data, translate, to) => {
  const provider = trustedText(data.provider)
  return {
    ...common(data, translate),
    subject: translate('identity_disconnected.subject', { provider }),
    preheader: translate('identity_disconnected.preheader'),
    body: [translate('identity_disconnected.body', { provider, email: trustedText(to) })],
    aside: translate('identity_disconnected.aside', { provider }),
  }
}

const common = (
  { name, url }: Data,
  translate: TranslateMail,
): Pick<MailContent, 'greeting' | 'button' | 'footer'> => ({
  greeting: greeting(translate, name),
  button: { label: translate('identity_changed.button'), url },
  footer: translate('identity_changed.footer'),
})
