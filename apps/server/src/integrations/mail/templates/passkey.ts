import type { Template } from '../content.ts'
import { greet } from '../translate.ts'

type Data = {
  name: string
  event: 'added' | 'removed' | 'copied'
  /** What its owner calls it. */
  passkey: string
  /** The profile. */
  url: string
}

const words = {
  added: { subject: 'passkey.added_subject', body: 'passkey.added' },
  removed: { subject: 'passkey.removed_subject', body: 'passkey.removed' },
  copied: { subject: 'passkey.copied_subject', body: 'passkey.copied' },
} as const

/** Something happened to a passkey, and its owner is to know. */
export const passkey: Template<Data> = (data, say) => ({
  subject: say(words[data.event].subject),
  preheader: say('passkey.preheader'),
  heading: say(words[data.event].subject),
  greeting: greet(say, data.name),
  body: [say(words[data.event].body, { passkey: data.passkey })],
  button: { label: say('passkey.button'), url: data.url },
  expiry: null,
  aside: say('passkey.aside'),
  footer: say('passkey.footer'),
})
