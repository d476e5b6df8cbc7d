import type { Letter, Template } from '../content.ts'
import { greet, ours, type Say } from '../translate.ts'

/** `provider` is its name as people know it, from the configuration; `url` is the profile. */
type Data = { name: string; provider: string; url: string }

export const identityConnected: Template<Data> = (data, say, to) => {
  const provider = ours(data.provider)
  return {
    ...common(data, say),
    subject: say('identity_connected.subject', { provider }),
    preheader: say('identity_connected.preheader'),
    heading: say('identity_connected.subject', { provider }),
    body: [say('identity_connected.body', { provider, email: ours(to) })],
    aside: say('identity_connected.aside', { provider }),
  }
}

export const identityDisconnected: Template<Data> = (data, say, to) => {
  const provider = ours(data.provider)
  return {
    ...common(data, say),
    subject: say('identity_disconnected.subject', { provider }),
    preheader: say('identity_disconnected.preheader'),
    heading: say('identity_disconnected.subject', { provider }),
    body: [say('identity_disconnected.body', { provider, email: ours(to) })],
    aside: say('identity_disconnected.aside', { provider }),
  }
}

const common = (
  { name, url }: Data,
  say: Say,
): Pick<Letter, 'greeting' | 'button' | 'expiry' | 'footer'> => ({
  greeting: greet(say, name),
  button: { label: say('identity_changed.button'), url },
  expiry: null,
  footer: say('identity_changed.footer'),
})
